using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    /// <summary>Sends requests through <see cref="HttpClient"/>. Keep one as long as the program runs: each has connections of its own.</summary>
    public sealed class HttpClientTransport : ITransport, IDisposable
    {
        private const int MostConnections = 64;
        private static readonly Lazy<HttpClientTransport> Default = new Lazy<HttpClientTransport>(() => new HttpClientTransport());
        private readonly HttpClient client;

        /// <summary>The one of all clients without a transport.</summary>
        internal static HttpClientTransport Shared { get { return Default.Value; } }

        /// <summary>Uses a client of its own.</summary>
        public HttpClientTransport() : this(new HttpClient(new HttpClientHandler { MaxConnectionsPerServer = MostConnections, UseCookies = false })) { }

        /// <summary>Uses this client. Its timeout is removed: each request has its own.</summary>
        public HttpClientTransport(HttpClient client)
        {
            this.client = client;
            client.Timeout = Timeout.InfiniteTimeSpan;
        }

        /// <inheritdoc/>
        public async Task<TransportResponse> SendAsync(TransportRequest request, CancellationToken cancellationToken)
        {
            var message = new HttpRequestMessage(new HttpMethod(request.Method), request.Url);
            message.Headers.ExpectContinue = false;
            foreach (var header in request.Headers) message.Headers.TryAddWithoutValidation(header.Key, header.Value);
            if (request.Body != null)
            {
                message.Content = new ByteArrayContent(request.Body);
                message.Content.Headers.TryAddWithoutValidation("Content-Type", request.ContentType);
            }
            var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            try
            {
                limit.CancelAfter(request.Timeout);
                var response = await client.SendAsync(message, HttpCompletionOption.ResponseHeadersRead, limit.Token);
                if (request.IsStream) limit.CancelAfter(Timeout.Infinite);
                var body = await response.Content.ReadAsStreamAsync();
                return new Response(response, body, limit);
            }
            catch (Exception)
            {
                limit.Dispose();
                throw;
            }
        }

        /// <summary>Ends the connections, also those of a client that was passed to the constructor.</summary>
        public void Dispose() { client.Dispose(); }

        /// <inheritdoc/>
        public Task WaitAsync(TimeSpan time, CancellationToken cancellationToken) { return Task.Delay(time, cancellationToken); }

        private sealed class Response : TransportResponse
        {
            private readonly HttpResponseMessage message;
            private readonly Stream body;
            private readonly CancellationTokenSource limit;
            private readonly CancellationTokenRegistration cut;

            internal Response(HttpResponseMessage message, Stream body, CancellationTokenSource limit)
            {
                this.message = message;
                this.body = body;
                this.limit = limit;
                Status = (int)message.StatusCode;
                // Not every stream of a platform observes a token while it reads.
                cut = limit.Token.Register(message.Dispose);
            }

            public override string Header(string name)
            {
                IEnumerable<string> values;
                if (message.Headers.TryGetValues(name, out values)) return string.Join(", ", values);
                return message.Content != null && message.Content.Headers.TryGetValues(name, out values) ? string.Join(", ", values) : null;
            }

            public override async Task<int> ReadAsync(byte[] buffer, CancellationToken cancellationToken)
            {
                using (cancellationToken.Register(message.Dispose))
                {
                    try { return await body.ReadAsync(buffer, 0, buffer.Length, limit.Token); }
                    catch (Exception)
                    {
                        cancellationToken.ThrowIfCancellationRequested();
                        limit.Token.ThrowIfCancellationRequested();
                        throw;
                    }
                }
            }

            public override void Dispose()
            {
                cut.Dispose();
                message.Dispose();
                limit.Dispose();
            }
        }
    }
}
