using System;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    /// <summary>A token that renews itself before it ends, and when the service refuses it. Pass it as <see cref="CairnOptions.RenewedToken"/>, to any number of clients.</summary>
    public sealed class RenewedToken
    {
        private static readonly TimeSpan NextTry = TimeSpan.FromMinutes(1);
        private readonly Func<string, CancellationToken, Task<IssuedToken>> renew;
        private readonly object gate = new object();
        private string current;
        private DateTimeOffset dueAt;
        private DateTimeOffset takenAt;
        private Task renewing;

        /// <summary>Starts with a token, or with null to fetch the first one with the first call.</summary>
        public RenewedToken(IssuedToken first, Func<string, CancellationToken, Task<IssuedToken>> renew)
        {
            this.renew = renew;
            if (first != null) Take(first);
        }

        /// <summary>Called with each new token. Store it in place of the previous one.</summary>
        [MaybeNull] public Action<IssuedToken> OnRenewed { get; set; }

        /// <summary>Called once when the token cannot be renewed, because it has ended or was revoked: the user signs in again.</summary>
        [MaybeNull] public Action OnEnded { get; set; }

        /// <summary>A user's session, renewed by the service. Codes and identity providers return the first token. With the issuer of its sign-in, a session that has ended is opened again with its refresh token.</summary>
        public static RenewedToken OfSession(CairnOptions options, IssuedToken first, OpenIdIssuer issuer = null)
        {
            var refreshToken = first.RefreshToken;
            return new RenewedToken(first, async (old, cancellationToken) =>
            {
                try
                {
                    var own = options.WithoutCredentials(options.BaseUrl);
                    own.Token = old;
                    var answer = await new CairnClient(own).Authentication.SyncSessionAsync(cancellationToken: cancellationToken);
                    return new IssuedToken(answer.SessionToken, answer.ExpiryTime.Value, refreshToken);
                }
                catch (CairnUnauthorizedException) { if (issuer == null || refreshToken == null) throw; }
                var opened = await OpenIdSignIn.ContinueAsync(options, issuer, refreshToken, cancellationToken);
                refreshToken = opened.RefreshToken;
                return opened;
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
            await OrCancelled(Renewal(() => DateTimeOffset.UtcNow >= dueAt), cancellationToken);
            return current;
        }

        /// <summary>Another token than this one, which the service has refused; null after the end. A token that is refused within a minute stays: a new one would be refused too.</summary>
        internal async Task<string> ReplacementAsync(string refused, CancellationToken cancellationToken)
        {
            await OrCancelled(Renewal(() => current == refused && refused != null && DateTimeOffset.UtcNow - takenAt > NextTry), cancellationToken);
            return current;
        }

        /// <summary>The renewal under way, or a new one if it is still needed: another thread may just have ended one. No caller cancels it: others wait for the same one.</summary>
        private Task Renewal(Func<bool> isNeeded)
        {
            lock (gate)
            {
                if (renewing != null && !renewing.IsCompleted) return renewing;
                if (!isNeeded()) return Task.CompletedTask;
                renewing = RenewAsync(CancellationToken.None);
                return renewing;
            }
        }

        /// <summary>Waits for a task that continues when the wait is cancelled.</summary>
        private static async Task OrCancelled(Task task, CancellationToken cancellationToken)
        {
            var cancelled = new TaskCompletionSource<bool>();
            using (cancellationToken.Register(() => cancelled.TrySetResult(true))) await Task.WhenAny(task, cancelled.Task);
            if (!task.IsCompleted) cancellationToken.ThrowIfCancellationRequested();
            await task;
        }

        private async Task RenewAsync(CancellationToken cancellationToken)
        {
            try
            {
                var fresh = await renew(current, cancellationToken);
                Take(fresh);
                // The clock of a device may be far ahead: the token is fresh all the same.
                var earliest = DateTimeOffset.UtcNow + NextTry;
                if (dueAt < earliest) dueAt = earliest;
                takenAt = DateTimeOffset.UtcNow;
                if (OnRenewed != null) OnRenewed(fresh);
            }
            catch (CairnUnauthorizedException) { End(); }
            catch (SignInRefusedException) { End(); }
            catch (CairnException)
            {
                if (current == null) throw;
                dueAt = DateTimeOffset.UtcNow + NextTry;
            }
        }

        private void End()
        {
            current = null;
            dueAt = DateTimeOffset.MaxValue;
            if (OnEnded != null) OnEnded();
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
        /// <summary>Creates the pair, with the refresh token of a sign-in if it has one.</summary>
        public IssuedToken(string token, DateTimeOffset endsAt, string refreshToken = null)
        {
            Token = token;
            EndsAt = endsAt;
            RefreshToken = refreshToken;
        }

        /// <summary>The token.</summary>
        public string Token { get; private set; }

        /// <summary>When it ends.</summary>
        public DateTimeOffset EndsAt { get; private set; }

        /// <summary>The issuer's refresh token, if the sign-in asked for <c>offline_access</c> and the issuer gave one; otherwise null. Keep it where the platform keeps secrets.</summary>
        [MaybeNull] public string RefreshToken { get; private set; }
    }
}
