using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Cairn
{
    /// <summary>A failed request. Its subclasses name the failures that programs usually tell apart.</summary>
    public class CairnException : Exception
    {
        private static readonly List<CairnIssue> None = new List<CairnIssue>();

        internal CairnException(int status, string message, Exception cause = null) : base(message, cause)
        {
            Status = status;
            Issues = None;
        }

        /// <summary>The status of the response, or 0 if there was none.</summary>
        public int Status { get; private set; }

        /// <summary>The validation errors, one for each invalid field; empty for other failures.</summary>
        public IReadOnlyList<CairnIssue> Issues { get; private set; }

        /// <summary>The ID of the request in the service's log, or null.</summary>
        [MaybeNull] public string RequestId { get; private set; }

        /// <summary>The wait that the service asks for before a repeat, or null.</summary>
        public TimeSpan? RetryAfter { get; private set; }

        /// <summary>Whether the response has the form of the service's errors. A gateway, or the page of a network where one signs in, answers otherwise.</summary>
        internal bool IsOfService { get; private set; }

        internal static CairnException From(TransportResponse response, string text)
        {
            var issues = new List<CairnIssue>();
            var message = MessageIn(text, issues);
            var error = Create(response.Status, message ?? ("The service answered with status " + response.Status + "."));
            error.IsOfService = message != null;
            error.Issues = issues;
            error.RequestId = response.Header("x-request-id");
            double seconds;
            if (double.TryParse(response.Header("retry-after"), NumberStyles.Float, CultureInfo.InvariantCulture, out seconds) && seconds >= 0 && seconds < 1e8)
                error.RetryAfter = TimeSpan.FromSeconds(seconds);
            return error;
        }

        private static CairnException Create(int status, string message)
        {
            switch (status)
            {
                case 400: return new CairnInvalidException(message);
                case 401: return new CairnUnauthorizedException(message);
                case 403: return new CairnForbiddenException(message);
                case 404: return new CairnNotFoundException(message);
                case 409: return new CairnConflictException(message);
                case 412: return new CairnPreconditionException(message);
                case 429: return new CairnRateLimitException(message);
                default: return new CairnException(status, message);
            }
        }

        private static string MessageIn(string text, List<CairnIssue> issues)
        {
            Json error;
            try { error = Json.Parse(text)["error"]; }
            catch (FormatException) { return null; } // Something between the client and the service answered.
            if (error == null) return null;
            if (error.Kind == JsonKind.String) return error.AsString();
            var words = new List<string>();
            foreach (var item in error.Items)
            {
                var issue = CairnIssue.From(item);
                issues.Add(issue);
                words.Add(issue.Path.Count > 0 ? string.Join(".", issue.Path) + ": " + issue.Message : issue.Message);
            }
            return words.Count > 0 ? string.Join("; ", words) : null;
        }
    }

    /// <summary>One validation error of a body or parameter.</summary>
    public sealed class CairnIssue
    {
        /// <summary>The kind of fault, such as <c>too_small</c>.</summary>
        public string Code { get; private set; }

        /// <summary>What is wrong, in one sentence.</summary>
        public string Message { get; private set; }

        /// <summary>Where it is: names of members and indices of lists, from the outside in.</summary>
        public IReadOnlyList<string> Path { get; private set; }

        internal static CairnIssue From(Json json)
        {
            Func<string, string> read = name => json[name] == null || json[name].IsNull ? "" : json[name].AsString();
            var path = json["path"] == null ? new List<string>() : json["path"].AsList(part => part.AsString());
            return new CairnIssue { Code = read("code"), Message = read("message"), Path = path };
        }
    }

    /// <summary>No response: the network or the service is down, or the time was over.</summary>
    public sealed class CairnUnreachableException : CairnException
    {
        internal CairnUnreachableException(string message, Exception cause) : base(0, message, cause) { }
    }

    /// <summary>400: the request is invalid. See <see cref="CairnException.Issues"/>.</summary>
    public sealed class CairnInvalidException : CairnException { internal CairnInvalidException(string message) : base(400, message) { } }

    /// <summary>401: the key, token or session is missing or has ended.</summary>
    public sealed class CairnUnauthorizedException : CairnException { internal CairnUnauthorizedException(string message) : base(401, message) { } }

    /// <summary>403: the credential may not do this.</summary>
    public sealed class CairnForbiddenException : CairnException { internal CairnForbiddenException(string message) : base(403, message) { } }

    /// <summary>404: there is no such record.</summary>
    public sealed class CairnNotFoundException : CairnException { internal CairnNotFoundException(string message) : base(404, message) { } }

    /// <summary>409: the state of the record does not allow this.</summary>
    public sealed class CairnConflictException : CairnException { internal CairnConflictException(string message) : base(409, message) { } }

    /// <summary>412: the condition of a conditional write does not hold.</summary>
    public sealed class CairnPreconditionException : CairnException { internal CairnPreconditionException(string message) : base(412, message) { } }

    /// <summary>429: a limit is reached. See <see cref="CairnException.RetryAfter"/>.</summary>
    public sealed class CairnRateLimitException : CairnException { internal CairnRateLimitException(string message) : base(429, message) { } }
}
