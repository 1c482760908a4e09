using System;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    /// <summary>A token that renews itself before it ends. Pass <see cref="GetAsync"/> as <see cref="CairnOptions.TokenSource"/>.</summary>
    public sealed class RenewedToken
    {
        private static readonly TimeSpan NextTry = TimeSpan.FromMinutes(1);
        private readonly Func<string, CancellationToken, Task<IssuedToken>> renew;
        private string current;
        private DateTimeOffset dueAt;
        private Task renewing;

        /// <summary>Starts with a token, or with null to fetch the first one with the first call.</summary>
        public RenewedToken(IssuedToken first, Func<string, CancellationToken, Task<IssuedToken>> renew)
        {
            this.renew = renew;
            if (first != null) Take(first);
        }

        /// <summary>Called with each new token. Store it in place of the previous one.</summary>
        public Action<IssuedToken> OnRenewed { get; set; }

        /// <summary>Called once when the service rejects the token: the user signs in again.</summary>
        public Action OnEnded { get; set; }

        /// <summary>A user's session, renewed by the service. Codes and identity providers return the first token.</summary>
        public static RenewedToken OfSession(CairnOptions options, IssuedToken first)
        {
            return new RenewedToken(first, async (old, cancellationToken) =>
            {
                var own = options.WithoutCredentials(options.BaseUrl);
                own.Token = old;
                var client = new CairnClient(own);
                var answer = await client.Authentication.SyncSessionAsync(cancellationToken: cancellationToken);
                return new IssuedToken(answer.SessionToken, answer.ExpiryTime.Value);
            });
        }

        /// <summary>A player's token, created by a client that has a server key or the session of the player's user.</summary>
        public static RenewedToken OfPlayer(CairnClient issuer, string playerId)
        {
            return new RenewedToken(null, async (old, cancellationToken) =>
            {
                var answer = await issuer.Authentication.CreatePlayerTokenAsync(new NewPlayerTokenInput { PlayerId = playerId }, cancellationToken: cancellationToken);
                return new IssuedToken(answer.PlayerTokenValue, answer.ExpiryTime.Value);
            });
        }

        /// <summary>The current token; null after the end. Renews it first when two thirds of its lifetime are over. Calls at the same time share one renewal.</summary>
        public async Task<string> GetAsync(CancellationToken cancellationToken)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (DateTimeOffset.UtcNow >= dueAt)
            {
                // Not the token of one caller: others wait for the same renewal.
                if (renewing == null) renewing = RenewAsync(CancellationToken.None);
                var running = renewing;
                try { await running; }
                finally { if (renewing == running) renewing = null; }
            }
            return current;
        }

        private async Task RenewAsync(CancellationToken cancellationToken)
        {
            try
            {
                var fresh = await renew(current, cancellationToken);
                Take(fresh);
                if (OnRenewed != null) OnRenewed(fresh);
            }
            catch (CairnUnauthorizedException)
            {
                current = null;
                dueAt = DateTimeOffset.MaxValue;
                if (OnEnded != null) OnEnded();
            }
            catch (CairnException)
            {
                if (current == null) throw;
                dueAt = DateTimeOffset.UtcNow + NextTry;
            }
        }

        private void Take(IssuedToken token)
        {
            var now = DateTimeOffset.UtcNow;
            current = token.Token;
            dueAt = now + TimeSpan.FromTicks((token.EndsAt - now).Ticks / 3 * 2);
        }
    }

    /// <summary>A token and when it ends.</summary>
    public sealed class IssuedToken
    {
        /// <summary>Creates the pair.</summary>
        public IssuedToken(string token, DateTimeOffset endsAt)
        {
            Token = token;
            EndsAt = endsAt;
        }

        /// <summary>The token.</summary>
        public string Token { get; private set; }

        /// <summary>When it ends.</summary>
        public DateTimeOffset EndsAt { get; private set; }
    }
}
