#if UNITY_WEBGL && !UNITY_EDITOR
using System;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using UnityEngine;

namespace Cairn.Unity
{
    /// <summary>A stream through the browser's fetch: UnityWebRequest hands over a response in WebGL only once it is complete. CairnStreams.jslib is its other half.</summary>
    internal sealed class BrowserStream : TransportResponse
    {
        private readonly int id;
        private bool isDisposed;

        private BrowserStream(int id) { this.id = id; }

        internal static async Task<TransportResponse> OpenAsync(TransportRequest request, CancellationToken cancellationToken)
        {
            var stream = new BrowserStream(CairnStreamOpen(request.Url, Json.MapOf(request.Headers, value => Json.Of(value)).ToString()));
            try
            {
                var limit = Time.realtimeSinceStartupAsDouble + request.Timeout.TotalSeconds;
                while ((stream.Status = CairnStreamStatus(stream.id)) == 0)
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    if (Time.realtimeSinceStartupAsDouble > limit) throw new OperationCanceledException("The time limit of the request is over.");
                    await Task.Yield();
                }
                if (stream.Status < 0) throw new InvalidOperationException("The browser reached no service.");
                return stream;
            }
            catch (Exception)
            {
                stream.Dispose();
                throw;
            }
        }

        public override string Header(string name)
        {
            var value = CairnStreamHeader(id, name);
            return value.Length == 0 ? null : value;
        }

        public override async Task<int> ReadAsync(byte[] buffer, CancellationToken cancellationToken)
        {
            for (;;)
            {
                cancellationToken.ThrowIfCancellationRequested();
                if (isDisposed) throw new ObjectDisposedException("response");
                var count = CairnStreamRead(id, buffer, buffer.Length);
                if (count > 0) return count;
                if (count == -1) return 0;
                if (count == -2) throw new InvalidOperationException("The connection broke.");
                await Task.Yield();
            }
        }

        public override void Dispose()
        {
            if (isDisposed) return;
            isDisposed = true;
            CairnStreamClose(id);
        }

        [DllImport("__Internal")] private static extern int CairnStreamOpen(string url, string headers);
        [DllImport("__Internal")] private static extern int CairnStreamStatus(int id);
        [DllImport("__Internal")] private static extern string CairnStreamHeader(int id, string name);
        [DllImport("__Internal")] private static extern int CairnStreamRead(int id, byte[] buffer, int length);
        [DllImport("__Internal")] private static extern void CairnStreamClose(int id);
    }
}
#endif
