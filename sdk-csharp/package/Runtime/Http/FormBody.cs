using System;
using System.IO;
using System.Text;

namespace Cairn
{
    /// <summary>A form with fields and files (multipart/form-data).</summary>
    public sealed class FormBody
    {
        private readonly MemoryStream parts = new MemoryStream();
        private readonly string boundary = "cairn-" + Guid.NewGuid().ToString("N");

        internal string ContentType { get { return "multipart/form-data; boundary=" + boundary; } }

        /// <summary>Adds a field. Returns the form.</summary>
        public FormBody Add(string name, string value)
        {
            Write("--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + Quoted(name) + "\"\r\n\r\n" + value + "\r\n");
            return this;
        }

        /// <summary>Adds a file. Returns the form.</summary>
        public FormBody AddFile(string name, string fileName, byte[] content, string contentType = "application/octet-stream")
        {
            Write("--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + Quoted(name) + "\"; filename=\"" + Quoted(fileName) + "\"\r\nContent-Type: " + contentType + "\r\n\r\n");
            parts.Write(content, 0, content.Length);
            Write("\r\n");
            return this;
        }

        internal byte[] ToBytes()
        {
            var whole = new MemoryStream();
            parts.WriteTo(whole);
            var end = Encoding.UTF8.GetBytes("--" + boundary + "--\r\n");
            whole.Write(end, 0, end.Length);
            return whole.ToArray();
        }

        private void Write(string text)
        {
            var bytes = Encoding.UTF8.GetBytes(text);
            parts.Write(bytes, 0, bytes.Length);
        }

        private static string Quoted(string name) { return name.Replace("\"", "%22").Replace("\r", "%0D").Replace("\n", "%0A"); }
    }
}
