using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    /// <summary>How a client reaches the service.</summary>
    public sealed class CairnOptions
    {
        /// <summary>The URL of the service, such as <c>https://cairn.example</c>.</summary>
        public string BaseUrl { get; set; }

        /// <summary>An app's API key. A game ships a client key; a server key stays on your server.</summary>
        [MaybeNull] public string AppKey { get; set; }

        /// <summary>The app that a member acts in with a session, instead of an <see cref="AppKey"/>.</summary>
        [MaybeNull] public string AppId { get; set; }

        /// <summary>A user's session token or a player token. <see cref="TokenSource"/> and <see cref="RenewedToken"/> take precedence.</summary>
        [MaybeNull] public string Token { get; set; }

        /// <summary>Returns the current token for each request. <see cref="RenewedToken"/> takes precedence.</summary>
        [MaybeNull] public Func<CancellationToken, Task<string>> TokenSource { get; set; }

        /// <summary>A token that renews itself. A request that the service refuses for its token is sent again with a new one.</summary>
        [MaybeNull] public RenewedToken RenewedToken { get; set; }

        /// <summary>Sends the requests. Defaults to a <see cref="HttpClientTransport"/> that all clients share.</summary>
        [MaybeNull] public ITransport Transport { get; set; }

        /// <summary>The longest wait for one attempt. Defaults to 30 s.</summary>
        public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(30);

        /// <summary>How requests are retried.</summary>
        public RetryPlan Retry { get; set; } = new RetryPlan();

        /// <summary>Called before each wait: for a used-up quota, and before a retry.</summary>
        [MaybeNull] public Action<CairnWait> OnWait { get; set; }

        /// <summary>The same way of sending, to this URL, without key and token.</summary>
        internal CairnOptions WithoutCredentials(string baseUrl)
        {
            return new CairnOptions { BaseUrl = baseUrl, Transport = Transport, Timeout = Timeout, Retry = Retry, OnWait = OnWait };
        }
    }

    /// <summary>How requests are retried: after growing waits, and never before Retry-After.</summary>
    public sealed class RetryPlan
    {
        /// <summary>The greatest number of attempts. 1 disables retries.</summary>
        public int Attempts { get; set; } = 4;

        /// <summary>The wait before the first retry. It doubles with each retry.</summary>
        public TimeSpan FirstWait { get; set; } = TimeSpan.FromMilliseconds(300);

        /// <summary>The longest wait. If the service asks for a longer one, the error is thrown. A quota that is used up for longer is not waited for.</summary>
        public TimeSpan LongestWait { get; set; } = TimeSpan.FromSeconds(30);

        private static readonly Random Dice = new Random();

        internal TimeSpan WaitAfter(int failures, TimeSpan? retryAfter)
        {
            double share;
            lock (Dice) share = 0.5 + Dice.NextDouble() / 2;
            var growing = Math.Min(LongestWait.TotalMilliseconds, FirstWait.TotalMilliseconds * Math.Pow(2, Math.Min(failures - 1, 30))) * share;
            return TimeSpan.FromMilliseconds(Math.Max(growing, retryAfter == null ? 0 : retryAfter.Value.TotalMilliseconds));
        }
    }

    /// <summary>What one call does differently.</summary>
    public sealed class CallOptions
    {
        /// <summary>Your own key, to repeat a call safely, for example after a restart. By default each call gets a new key.</summary>
        [MaybeNull] public string IdempotencyKey { get; set; }

        /// <summary>The longest wait for one attempt of this call.</summary>
        public TimeSpan? Timeout { get; set; }

        /// <summary>Further headers.</summary>
        [MaybeNull] public Dictionary<string, string> Headers { get; set; }

        /// <summary>Called with the successful response before its body is read: for its ETag, X-Total-Count or RateLimit headers.</summary>
        [MaybeNull] public Action<TransportResponse> OnResponse { get; set; }
    }

    /// <summary>A file in a response.</summary>
    public sealed class CairnFile
    {
        internal CairnFile(byte[] content, string contentType)
        {
            Content = content;
            ContentType = contentType;
        }

        /// <summary>The bytes.</summary>
        public byte[] Content { get; private set; }

        /// <summary>The media type.</summary>
        public string ContentType { get; private set; }
    }
}
