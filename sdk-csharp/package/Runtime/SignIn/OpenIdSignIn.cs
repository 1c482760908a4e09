using System;
using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    /// <summary>Signs a user in at an OpenID provider through the system browser: authorization code flow with PKCE (RFC 7636, S256), as RFC 8252 describes it for programs on a device.</summary>
    public static class OpenIdSignIn
    {
        /// <summary>Opens the issuer's page and returns the session of the user who signs in there. <see cref="RenewedToken.OfSession"/> renews it. Throws <see cref="SignInRefusedException"/> if the issuer or its answer is refused; waits for the user until it is cancelled.</summary>
        public static async Task<IssuedToken> SignInAsync(CairnOptions options, OpenIdIssuer issuer, ISignInBrowser browser, CancellationToken cancellationToken = default(CancellationToken))
        {
            var found = await DiscoveredIssuer.FindAsync(options, issuer, cancellationToken);
            var verifier = RandomText();
            var state = RandomText();
            var nonce = RandomText();
            string redirectUri = null;
            var answer = await browser.VisitAsync(uri =>
            {
                redirectUri = uri;
                return found.PageAddress(uri, ChallengeOf(verifier), state, nonce);
            }, cancellationToken);
            var code = CodeIn(answer, found, state);
            var tokens = await found.RedeemAsync(code, verifier, redirectUri, cancellationToken);
            IdentityToken.Check(tokens.IdentityToken, found.Issuer, found.ClientId, nonce);
            return await ExchangeAsync(options, tokens, cancellationToken);
        }

        /// <summary>Opens a session again, without the user, with the refresh token of an earlier sign-in. The session has the refresh token to use next time. Throws <see cref="SignInRefusedException"/> if the issuer refuses it: then the user signs in.</summary>
        public static async Task<IssuedToken> ContinueAsync(CairnOptions options, OpenIdIssuer issuer, string refreshToken, CancellationToken cancellationToken = default(CancellationToken))
        {
            var found = await DiscoveredIssuer.FindAsync(options, issuer, cancellationToken);
            var tokens = await found.RefreshAsync(refreshToken, cancellationToken);
            IdentityToken.Check(tokens.IdentityToken, found.Issuer, found.ClientId, null);
            return await ExchangeAsync(options, tokens, cancellationToken);
        }

        /// <summary>The service checks the signature, and everything else again.</summary>
        private static async Task<IssuedToken> ExchangeAsync(CairnOptions options, IssuerTokens tokens, CancellationToken cancellationToken)
        {
            var client = new CairnClient(options.WithoutCredentials(options.BaseUrl));
            var answer = await client.Authentication.SyncSessionAsync(new SyncInput { Token = tokens.IdentityToken }, cancellationToken: cancellationToken);
            return new IssuedToken(answer.SessionToken, answer.ExpiryTime.Value, tokens.RefreshToken);
        }

        private static string CodeIn(string answer, DiscoveredIssuer found, string state)
        {
            var given = Form.OfQuery(answer);
            if (given.Value("state") != state) throw new SignInRefusedException("wrong_state", "The browser returned from another sign-in. Start again.");
            // RFC 9207: another issuer must not pass its code as that of this one.
            var from = given.Value("iss");
            if (from != found.Issuer && (from != null || found.NamesItself)) throw new SignInRefusedException("wrong_issuer", "The answer comes from another issuer. Start again.");
            var error = given.Value("error");
            if (error != null) throw new SignInRefusedException(error, "The issuer refused the sign-in: " + (given.Value("error_description") ?? error) + ".");
            var code = given.Value("code");
            if (code == null) throw new SignInRefusedException("no_code", "The issuer returned no code. Start again.");
            return code;
        }

        /// <summary>256 random bits. The class is named directly: a lookup by name finds nothing in a stripped build.</summary>
        private static string RandomText()
        {
            var bytes = new byte[32];
            using (var random = new RNGCryptoServiceProvider()) random.GetBytes(bytes);
            return Base64Url(bytes);
        }

        private static string ChallengeOf(string verifier)
        {
            using (var hash = new SHA256Managed()) return Base64Url(hash.ComputeHash(Encoding.ASCII.GetBytes(verifier)));
        }

        private static string Base64Url(byte[] bytes) { return Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_'); }
    }

    /// <summary>Where users sign in.</summary>
    public sealed class OpenIdIssuer
    {
        /// <summary>The issuer exactly as its tokens name it. By default the service's own: its public URL with <c>/oidc</c>.</summary>
        [MaybeNull] public string Issuer { get; set; }

        /// <summary>The ID of this program at the issuer, a public client without a secret. By default that of programs at the service's own issuer.</summary>
        public string ClientId { get; set; } = "cairn-cli";

        /// <summary>What the program asks for. With <c>offline_access</c>, an issuer that allows it also returns a refresh token; the service's own does not.</summary>
        public string Scope { get; set; } = "openid email profile";
    }

    /// <summary>A sign-in that the issuer refuses, or an answer that is not the one to this sign-in.</summary>
    public sealed class SignInRefusedException : Exception
    {
        internal SignInRefusedException(string reason, string message) : base(message) { Reason = reason; }

        /// <summary>The error of the issuer, such as <c>access_denied</c>, or the name of the check that failed: <c>wrong_state</c>, <c>wrong_issuer</c>, <c>wrong_audience</c>, <c>wrong_nonce</c>, <c>expired</c>, <c>no_code</c> or <c>no_token</c>.</summary>
        public string Reason { get; private set; }
    }
}
