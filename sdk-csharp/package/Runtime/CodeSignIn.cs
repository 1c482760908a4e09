using System;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    /// <summary>Signs in a device without a keyboard by a six-digit code.</summary>
    public static class CodeSignIn
    {
        /// <summary>Exchanges a code. Returns the session, or null for a code that signs nobody in. Throws <see cref="CodeRefusedException"/> for a code that is unknown, used or expired.</summary>
        public static async Task<IssuedToken> SignInAsync(CairnClient client, string code, CancellationToken cancellationToken = default(CancellationToken))
        {
            var answer = await client.Authentication.ExchangeCodeAsync(new CodeExchangeInput { Code = code }, cancellationToken: cancellationToken);
            if (answer.Status != "VALID") throw new CodeRefusedException(answer.Status, answer.Error);
            return answer.SessionToken == null ? null : new IssuedToken(answer.SessionToken, answer.ExpiryTime.Value);
        }
    }

    /// <summary>A code that cannot be exchanged.</summary>
    public sealed class CodeRefusedException : Exception
    {
        internal CodeRefusedException(string reason, string message) : base(message) { Reason = reason; }

        /// <summary>INVALID, EXPIRED or ERROR.</summary>
        public string Reason { get; private set; }
    }
}
