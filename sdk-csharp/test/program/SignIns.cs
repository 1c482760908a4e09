using System;
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
            var client = new CairnClient(new CairnOptions { BaseUrl = options.BaseUrl, TokenSource = token.GetAsync });
            var user = await client.Users.GetCurrentUserAsync();
            var current = await token.GetAsync(CancellationToken.None);
            return Json.NewObject().Set("username", Json.Of(user.Username)).Set("isRenewed", Json.Of(current != first.Token)).Set("isLater", Json.Of(first.EndsAt > DateTimeOffset.UtcNow));
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
