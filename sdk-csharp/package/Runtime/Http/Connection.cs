using System;
using System.Collections.Generic;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    /// <summary>Sends requests with credentials, repeats them where that is safe, and turns failures into exceptions.</summary>
    internal sealed class Connection
    {
        private readonly CairnOptions options;
        private readonly string baseUrl;
        private readonly UsedQuotas quotas = new UsedQuotas();

        internal Connection(CairnOptions options)
        {
            if (string.IsNullOrEmpty(options.BaseUrl)) throw new ArgumentException("Set BaseUrl to the URL of the service.");
            this.options = options;
            baseUrl = options.BaseUrl.TrimEnd('/');
            Transport = options.Transport ?? HttpClientTransport.Shared;
        }

        internal ITransport Transport { get; private set; }
        internal RetryPlan Plan { get { return options.Retry; } }

        internal Task RunAsync(Request request, CallOptions call, CancellationToken cancellationToken)
        {
            return JsonAsync(request, answer => true, call, cancellationToken);
        }

        internal Task<CairnFile> FileAsync(Request request, CallOptions call, CancellationToken cancellationToken)
        {
            return SendAsync(request, (response, body) => new CairnFile(body, response.Header("content-type")), call, cancellationToken);
        }

        internal Task<T> JsonAsync<T>(Request request, Func<Json, T> read, CallOptions call, CancellationToken cancellationToken)
        {
            return SendAsync(request, (response, body) => read(JsonIn(response, body)), call, cancellationToken);
        }

        /// <summary>The JSON of a body; text that is not JSON as a string. Throws FormatException for a page, with which a network answers until one signs in to it.</summary>
        internal static Json JsonIn(TransportResponse response, byte[] body)
        {
            var type = response.Header("content-type") ?? "";
            if (type.StartsWith("text/html", StringComparison.OrdinalIgnoreCase)) throw new FormatException("A page was received instead of an answer.");
            if (body.Length == 0) return Json.Null;
            var text = Encoding.UTF8.GetString(body);
            return type.Contains("json") ? Json.Parse(text) : Json.Of(text);
        }

        /// <summary>Sends a request with retries. A DELETE whose answer was lost succeeds when its repeat finds nothing.</summary>
        internal async Task<T> SendAsync<T>(Request request, Func<TransportResponse, byte[], T> read, CallOptions call, CancellationToken cancellationToken)
        {
            var key = call != null ? call.IdempotencyKey : null;
            if (key == null && request.IsRepeatable && (request.Method == "POST" || request.Method == "PATCH")) key = Guid.NewGuid().ToString("N");
            request.Header("idempotency-key", key);
            for (var number = 1; ; number++)
            {
                CairnException error;
                try
                {
                    using (var response = await OpenAsync(request, call, false, cancellationToken))
                    {
                        var body = await BodyAsync(response, cancellationToken);
                        if (response.Status >= 200 && response.Status < 300)
                        {
                            if (call != null && call.OnResponse != null) call.OnResponse(response);
                            try { return read(response, body); }
                            catch (FormatException cause) { throw new CairnUnreachableException("The answer did not come from the service at " + baseUrl + ".", cause); }
                        }
                        if (request.Method == "DELETE" && number > 1 && response.Status == 404) return default(T);
                        error = CairnException.From(response, Encoding.UTF8.GetString(body));
                    }
                }
                catch (CairnException failure) { error = failure; }
                // A request over a limit was not carried out.
                var isSafe = request.IsRepeatable || (error.Status == 429 && error.RetryAfter != null);
                if (!isSafe || !IsWorthARepeat(error, number) || number >= Plan.Attempts) throw error;
                var wait = Plan.WaitAfter(number, error.RetryAfter);
                if (wait > Plan.LongestWait) throw error;
                await WaitAsync(new CairnWait(wait, null, error), cancellationToken);
            }
        }

        /// <summary>Waits, and says so first.</summary>
        internal Task WaitAsync(CairnWait wait, CancellationToken cancellationToken)
        {
            if (options.OnWait != null) options.OnWait(wait);
            return Transport.WaitAsync(wait.Time, cancellationToken);
        }

        private static bool IsWorthARepeat(CairnException error, int number)
        {
            switch (error.Status)
            {
                case 0: case 408: case 429: case 502: case 503: case 504: return true;
                // The first request with this Idempotency-Key is still running.
                case 409: return number > 1 && error.Message.Contains("is still being answered");
                default: return false;
            }
        }

        /// <summary>Sends one request once no quota is used up, and returns the response, of any status. Throws CairnUnreachableException without one.</summary>
        internal async Task<TransportResponse> OpenAsync(Request request, CallOptions call, bool isStream, CancellationToken cancellationToken)
        {
            var token = await TokenAsync(cancellationToken);
            var response = await OpenAsync(request, call, isStream, token, cancellationToken);
            if (response.Status != 401 || options.RenewedToken == null) return response;
            string other;
            try { other = await options.RenewedToken.ReplacementAsync(token, cancellationToken); }
            catch (Exception)
            {
                response.Dispose();
                throw;
            }
            if (other == token || other == null) return response;
            response.Dispose();
            return await OpenAsync(request, call, isStream, other, cancellationToken);
        }

        private Task<string> TokenAsync(CancellationToken cancellationToken)
        {
            if (options.RenewedToken != null) return options.RenewedToken.GetAsync(cancellationToken);
            return options.TokenSource != null ? options.TokenSource(cancellationToken) : Task.FromResult(options.Token);
        }

        private async Task<TransportResponse> OpenAsync(Request request, CallOptions call, bool isStream, string token, CancellationToken cancellationToken)
        {
            var pending = quotas.Pending();
            if (pending != null && pending.Time <= Plan.LongestWait) await WaitAsync(pending, cancellationToken);
            var headers = new Dictionary<string, string>(request.Headers, StringComparer.OrdinalIgnoreCase);
            if (!string.IsNullOrEmpty(options.AppKey)) headers["x-app-api-key"] = options.AppKey;
            if (!string.IsNullOrEmpty(options.AppId)) headers["x-app-id"] = options.AppId;
            if (!string.IsNullOrEmpty(token)) headers["authorization"] = "Bearer " + token;
            if (call != null && call.Headers != null) foreach (var header in call.Headers) headers[header.Key] = header.Value;
            var outgoing = new TransportRequest
            {
                Method = request.Method,
                Url = baseUrl + request.Address,
                Headers = headers,
                Body = request.Body,
                ContentType = request.ContentType,
                Timeout = call != null && call.Timeout != null ? call.Timeout.Value : options.Timeout,
                IsStream = isStream,
            };
            try
            {
                var response = await Transport.SendAsync(outgoing, cancellationToken);
                quotas.Note(response.Header("ratelimit"));
                return response;
            }
            catch (CairnException) { throw; }
            catch (Exception cause) { throw Unanswered(cause, cancellationToken); }
        }

        private async Task<byte[]> BodyAsync(TransportResponse response, CancellationToken cancellationToken)
        {
            try { return await response.ReadAllAsync(cancellationToken); }
            catch (Exception cause) { throw Unanswered(cause, cancellationToken); }
        }

        internal Exception Unanswered(Exception cause, CancellationToken cancellationToken)
        {
            if (cancellationToken.IsCancellationRequested) return new OperationCanceledException(cancellationToken);
            var isTooLate = cause is OperationCanceledException;
            return new CairnUnreachableException("No answer from " + baseUrl + (isTooLate ? " in time." : "."), cause);
        }
    }
}
