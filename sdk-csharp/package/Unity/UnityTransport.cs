using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using UnityEngine;
using UnityEngine.Networking;

namespace Cairn.Unity
{
    /// <summary>Sends requests through <see cref="UnityWebRequest"/>, on all platforms of Unity; in WebGL, streams go through the browser's fetch. Use it from the main thread.</summary>
    public sealed class UnityTransport : ITransport
    {
        /// <inheritdoc/>
        public async Task<TransportResponse> SendAsync(TransportRequest request, CancellationToken cancellationToken)
        {
            cancellationToken.ThrowIfCancellationRequested();
#if UNITY_WEBGL && !UNITY_EDITOR
            if (request.IsStream) return await BrowserStream.OpenAsync(request, cancellationToken);
#endif
            var received = new ReceivedBytes();
            var web = new UnityWebRequest(request.Url, request.Method) { downloadHandler = received, disposeDownloadHandlerOnDispose = true };
            if (request.Body != null)
            {
                web.uploadHandler = new UploadHandlerRaw(request.Body) { contentType = request.ContentType };
                web.disposeUploadHandlerOnDispose = true;
            }
            foreach (var header in request.Headers) web.SetRequestHeader(header.Key, header.Value);
            var response = new UnityResponse(web, received);
            try
            {
                var operation = web.SendWebRequest();
                var limit = Time.realtimeSinceStartupAsDouble + request.Timeout.TotalSeconds;
                // A stream is there with its first bytes. Other responses are read completely, within the time limit.
                while (!operation.isDone && !(request.IsStream && received.HasStarted))
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    if (Time.realtimeSinceStartupAsDouble > limit) throw new OperationCanceledException("The time limit of the request is over.");
                    await Task.Yield();
                }
                response.Open();
                return response;
            }
            catch (Exception)
            {
                response.Dispose();
                throw;
            }
        }

        /// <inheritdoc/>
        public async Task WaitAsync(TimeSpan time, CancellationToken cancellationToken)
        {
            // Task.Delay needs threads, which WebGL does not have.
            var end = Time.realtimeSinceStartupAsDouble + time.TotalSeconds;
            while (Time.realtimeSinceStartupAsDouble < end)
            {
                cancellationToken.ThrowIfCancellationRequested();
                await Task.Yield();
            }
        }

        private static bool HasFailed(UnityWebRequest web)
        {
            return web.result == UnityWebRequest.Result.ConnectionError || web.result == UnityWebRequest.Result.DataProcessingError;
        }

        private sealed class UnityResponse : TransportResponse
        {
            private readonly UnityWebRequest web;
            private readonly ReceivedBytes received;
            private bool isDisposed;

            internal UnityResponse(UnityWebRequest web, ReceivedBytes received)
            {
                this.web = web;
                this.received = received;
            }

            internal void Open()
            {
                if (HasFailed(web)) throw new InvalidOperationException(web.error);
                Status = (int)web.responseCode;
            }

            public override string Header(string name) { return web.GetResponseHeader(name); }

            public override async Task<int> ReadAsync(byte[] buffer, CancellationToken cancellationToken)
            {
                for (;;)
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    if (isDisposed) throw new ObjectDisposedException("response");
                    var count = received.Take(buffer);
                    if (count > 0) return count;
                    if (web.isDone)
                    {
                        if (HasFailed(web)) throw new InvalidOperationException(web.error);
                        return 0;
                    }
                    await Task.Yield();
                }
            }

            public override void Dispose()
            {
                if (isDisposed) return;
                isDisposed = true;
                if (!web.isDone) web.Abort();
                web.Dispose();
            }
        }

        /// <summary>Keeps bytes from their arrival until they are read.</summary>
        private sealed class ReceivedBytes : DownloadHandlerScript
        {
            private readonly Queue<byte[]> chunks = new Queue<byte[]>();
            private int taken;

            internal bool HasStarted { get; private set; }

            protected override bool ReceiveData(byte[] data, int dataLength)
            {
                HasStarted = true;
                var chunk = new byte[dataLength];
                Buffer.BlockCopy(data, 0, chunk, 0, dataLength);
                if (dataLength > 0) chunks.Enqueue(chunk);
                return true;
            }

            internal int Take(byte[] buffer)
            {
                if (chunks.Count == 0) return 0;
                var chunk = chunks.Peek();
                var count = Math.Min(buffer.Length, chunk.Length - taken);
                Buffer.BlockCopy(chunk, taken, buffer, 0, count);
                taken += count;
                if (taken < chunk.Length) return count;
                chunks.Dequeue();
                taken = 0;
                return count;
            }
        }
    }
}
