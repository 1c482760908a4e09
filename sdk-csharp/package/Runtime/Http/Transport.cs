using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    /// <summary>Sends requests. <see cref="HttpClientTransport"/> is the one for .NET; an engine may bring its own.</summary>
    public interface ITransport
    {
        /// <summary>Sends one request and returns when the headers of the response are there. Any status is a response; failures to get one throw.</summary>
        Task<TransportResponse> SendAsync(TransportRequest request, CancellationToken cancellationToken);

        /// <summary>Waits. It belongs to the transport because not every platform has timers of threads.</summary>
        Task WaitAsync(TimeSpan time, CancellationToken cancellationToken);
    }

    /// <summary>One request as it is sent.</summary>
    public sealed class TransportRequest
    {
        /// <summary>The method, in capitals.</summary>
        public string Method { get; internal set; }

        /// <summary>The absolute URL.</summary>
        public string Url { get; internal set; }

        /// <summary>The headers, without Content-Type.</summary>
        public Dictionary<string, string> Headers { get; internal set; }

        /// <summary>The body, or null.</summary>
        [MaybeNull] public byte[] Body { get; internal set; }

        /// <summary>The Content-Type of the body.</summary>
        [MaybeNull] public string ContentType { get; internal set; }

        /// <summary>The longest wait for the whole response, or for the headers of a stream.</summary>
        public TimeSpan Timeout { get; internal set; }

        /// <summary>Whether the body of the response is an endless stream.</summary>
        public bool IsStream { get; internal set; }
    }

    /// <summary>A response whose body is read as it arrives.</summary>
    public abstract class TransportResponse : IDisposable
    {
        /// <summary>The status.</summary>
        public int Status { get; protected set; }

        /// <summary>The value of a header, or null. The name ignores case.</summary>
        [return: MaybeNull] public abstract string Header(string name);

        /// <summary>Reads the next bytes of the body. Returns 0 at the end.</summary>
        public abstract Task<int> ReadAsync(byte[] buffer, CancellationToken cancellationToken);

        /// <summary>Ends the connection if the body is not at its end.</summary>
        public abstract void Dispose();

        internal async Task<byte[]> ReadAllAsync(CancellationToken cancellationToken)
        {
            var all = new MemoryStream();
            var buffer = new byte[16 * 1024];
            for (;;)
            {
                var count = await ReadAsync(buffer, cancellationToken);
                if (count == 0) return all.ToArray();
                all.Write(buffer, 0, count);
            }
        }

        internal async Task<string> ReadTextAsync(CancellationToken cancellationToken)
        {
            return Encoding.UTF8.GetString(await ReadAllAsync(cancellationToken));
        }
    }
}
