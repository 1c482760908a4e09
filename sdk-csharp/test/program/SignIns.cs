using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn.Tests
{
    /// <summary>Cases that sign in through a browser, which is the test: it gets the address of each page on a line.</summary>
    internal static class SignIns
    {
        /// <summary>Signs in, uses the session and renews it; returns the name of the user and whether the renewed token is another one.</summary>
        internal static async Task<Json> SignInAsync(CairnOptions options)
        {
            var first = await OpenIdSignIn.SignInAsync(options, new OpenIdIssuer(), Browser());
            // Due at once.
            var token = RenewedToken.OfSession(options, new IssuedToken(first.Token, DateTimeOffset.UtcNow));
            var client = new CairnClient(new CairnOptions { BaseUrl = options.BaseUrl, RenewedToken = token });
            var user = await client.Users.GetCurrentUserAsync();
            var current = await token.GetAsync(CancellationToken.None);
            return Json.NewObject().Set("username", Json.Of(user.Username)).Set("isRenewed", Json.Of(current != first.Token)).Set("isLater", Json.Of(first.EndsAt > DateTimeOffset.UtcNow));
        }

        /// <summary>Signs in with a refresh token, and ends the session twice; returns for each whether another session was opened, without the user.</summary>
        internal static async Task<Json> OfflineAsync(CairnOptions options, string issuer, string clientId)
        {
            var asked = new OpenIdIssuer { Issuer = issuer, ClientId = clientId, Scope = "openid offline_access" };
            var last = await OpenIdSignIn.SignInAsync(options, asked, Browser());
            var opened = new List<Json>();
            for (var times = 0; times < 2; times++)
            {
                await new CairnClient(new CairnOptions { BaseUrl = options.BaseUrl, Token = last.Token }).Authentication.SignOutAsync();
                // As after a restart of the game: due at once.
                var stored = new IssuedToken(last.Token, DateTimeOffset.UtcNow, last.RefreshToken);
                var token = RenewedToken.OfSession(options, stored, asked);
                token.OnRenewed = fresh => last = fresh;
                var user = await new CairnClient(new CairnOptions { BaseUrl = options.BaseUrl, RenewedToken = token }).Users.GetCurrentUserAsync();
                opened.Add(Json.Of(user.Id != null && last.Token != stored.Token && last.RefreshToken != stored.RefreshToken));
            }
            var ended = false;
            var revoked = RenewedToken.OfSession(options, new IssuedToken("ended", DateTimeOffset.UtcNow, "revoked"), asked);
            revoked.OnEnded = () => ended = true;
            var none = await revoked.GetAsync(CancellationToken.None);
            return Json.NewObject().Set("opened", Json.ArrayOf(opened)).Set("endsWhenRefused", Json.Of(ended && none == null));
        }

        /// <summary>Signs in at an issuer; returns why it was refused.</summary>
        internal static async Task<Json> RefusalAsync(CairnOptions options, string issuer)
        {
            try { await OpenIdSignIn.SignInAsync(options, new OpenIdIssuer { Issuer = issuer, ClientId = "hunt" }, Browser()); }
            catch (SignInRefusedException error) { return Json.Of(error.Reason); }
            return Json.Of("completed");
        }

        /// <summary>Cancels a sign-in once its page is open.</summary>
        internal static async Task<Json> LeaveAsync(CairnOptions options)
        {
            using (var stop = new CancellationTokenSource())
            {
                try { await OpenIdSignIn.SignInAsync(options, new OpenIdIssuer(), new LoopbackBrowser(url => stop.Cancel()), stop.Token); }
                catch (OperationCanceledException) { return Json.Of("cancelled"); }
                return Json.Of("completed");
            }
        }

        private static LoopbackBrowser Browser() { return new LoopbackBrowser(url => Console.WriteLine("open " + url)); }
    }
}
