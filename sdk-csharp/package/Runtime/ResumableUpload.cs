using System;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    public sealed partial class CairnClient
    {
        private const int ChunkSize = 1024 * 1024;

        /// <summary>Uploads a file in chunks (tus 1.0.0). After a failure it asks for the offset and resumes. Gives up after as many failures without progress as <see cref="RetryPlan.Attempts"/>. The stream must be seekable.</summary>
        public async Task<UploadResult> UploadAsync(Stream file, string fileName, UploadOptions options = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            options = options ?? new UploadOptions();
            var path = options.Resume;
            long furthest = 0;
            for (var failures = 0; ; )
            {
                CairnException error;
                try
                {
                    if (path == null)
                    {
                        path = await BeginAsync(file.Length, fileName, cancellationToken);
                        if (options.OnBegun != null) options.OnBegun(path);
                    }
                    var offset = await OffsetAsync(new Request("HEAD", path, false), cancellationToken, file.Length);
                    // A slow connection may bring a part of each chunk.
                    if (offset > furthest) failures = 0;
                    furthest = Math.Max(furthest, offset);
                    for (Report(options, offset, file.Length); offset < file.Length; Report(options, offset, file.Length))
                    {
                        offset = await AppendAsync(path, file, offset, cancellationToken);
                        furthest = offset;
                        failures = 0;
                    }
                    var state = await connection.JsonAsync(new Request("GET", path, false), ResumableState.From, null, cancellationToken);
                    if (state.Result != null) return state.Result;
                    throw new CairnException(500, "The upload is complete but has not become a file. Upload the file again.");
                }
                catch (CairnException failure) { error = failure; }
                var isForgotten = error.Status == 404 || error.Status == 410;
                if ((!isForgotten && !IsTransient(error.Status)) || ++failures >= connection.Plan.Attempts) throw error;
                if (isForgotten) path = null;
                var wait = connection.Plan.WaitAfter(failures, error.RetryAfter);
                if (wait > connection.Plan.LongestWait) throw error;
                await connection.WaitAsync(new CairnWait(wait, null, error), cancellationToken);
            }
        }

        private static bool IsTransient(int status)
        {
            return status == 0 || status == 408 || status == 409 || status == 423 || status == 429 || status >= 500;
        }

        private async Task<string> BeginAsync(long length, string fileName, CancellationToken cancellationToken)
        {
            var request = new Request("POST", "/api/upload/tus", false);
            request.Header("tus-resumable", "1.0.0");
            request.Header("upload-length", length.ToString(System.Globalization.CultureInfo.InvariantCulture));
            request.Header("upload-metadata", "filename " + Convert.ToBase64String(Encoding.UTF8.GetBytes(fileName)));
            var location = await connection.SendAsync(request, (response, body) => response.Header("location"), null, cancellationToken);
            // The service's own URL may differ from the one used to reach it.
            var at = (location ?? "").LastIndexOf("/api/upload/tus/", StringComparison.Ordinal);
            if (at < 0) throw new CairnException(500, "The service did not name the place of the upload.");
            return location.Substring(at);
        }

        private async Task<long> AppendAsync(string path, Stream file, long offset, CancellationToken cancellationToken)
        {
            var chunk = new byte[Math.Min(ChunkSize, file.Length - offset)];
            file.Seek(offset, SeekOrigin.Begin);
            for (var read = 0; read < chunk.Length; )
            {
                var count = await file.ReadAsync(chunk, read, chunk.Length - read, cancellationToken);
                if (count == 0) throw new EndOfStreamException("The file became shorter during its upload.");
                read += count;
            }
            var request = new Request("PATCH", path, false);
            request.Header("upload-offset", offset.ToString(System.Globalization.CultureInfo.InvariantCulture));
            request.SetBytes(chunk, "application/offset+octet-stream");
            return await OffsetAsync(request, cancellationToken);
        }

        private Task<long> OffsetAsync(Request request, CancellationToken cancellationToken, long? total = null)
        {
            request.Header("tus-resumable", "1.0.0");
            return connection.SendAsync(request, (response, body) =>
            {
                if (total != null && NumberIn(response, "upload-length") != total)
                    throw new CairnConflictException("The upload to resume is of a file of another size. Upload the file from its beginning.");
                return NumberIn(response, "upload-offset");
            }, null, cancellationToken);
        }

        private static long NumberIn(TransportResponse response, string header)
        {
            long number;
            if (long.TryParse(response.Header(header), System.Globalization.NumberStyles.None, System.Globalization.CultureInfo.InvariantCulture, out number)) return number;
            throw new FormatException("The answer has no " + header + ".");
        }

        private static void Report(UploadOptions options, long sent, long total) { if (options.OnProgress != null) options.OnProgress(sent, total); }
    }

    /// <summary>How a file is uploaded.</summary>
    public sealed class UploadOptions
    {
        /// <summary>Resumes an upload: the path passed to <see cref="OnBegun"/>. Starts over if the service no longer has it.</summary>
        [MaybeNull] public string Resume { get; set; }

        /// <summary>Called with the upload's path before the first byte is sent. Store it to resume after a restart.</summary>
        [MaybeNull] public Action<string> OnBegun { get; set; }

        /// <summary>Called with the bytes sent and the bytes in all.</summary>
        [MaybeNull] public Action<long, long> OnProgress { get; set; }
    }
}
