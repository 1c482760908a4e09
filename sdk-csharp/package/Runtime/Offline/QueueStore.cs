using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Text;

namespace Cairn
{
    /// <summary>Keeps the text of a queue on the device.</summary>
    public interface IQueueStore
    {
        /// <summary>The stored text, or null.</summary>
        [return: MaybeNull] string Load();

        /// <summary>Replaces the text, completely or not at all.</summary>
        void Save(string text);
    }

    /// <summary>Keeps a queue in a file.</summary>
    public sealed class FileQueueStore : IQueueStore
    {
        private readonly string path;

        /// <summary>Uses this file. Its folder must exist.</summary>
        public FileQueueStore(string path) { this.path = path; }

        /// <inheritdoc/>
        public string Load() { return File.Exists(path) ? File.ReadAllText(path) : null; }

        /// <inheritdoc/>
        public void Save(string text)
        {
            var next = path + ".next";
            var bytes = Encoding.UTF8.GetBytes(text);
            using (var file = new FileStream(next, FileMode.Create, FileAccess.Write))
            {
                file.Write(bytes, 0, bytes.Length);
                // Otherwise a device that loses power may keep an empty file under the final name.
                file.Flush(true);
            }
            if (File.Exists(path)) File.Replace(next, path, null);
            else File.Move(next, path);
        }
    }
}
