using System;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    /// <summary>An issuer with the addresses of its discovery document (OpenID Connect Discovery 1.0).</summary>
    internal sealed class DiscoveredIssuer
    {
        private readonly Connection connection;
        private readonly string scope;
        private readonly string page;
        private readonly Uri codes;

        private DiscoveredIssuer(Connection connection, OpenIdIssuer asked, string issuer, Json document)
        {
            this.connection = connection;
            scope = asked.Scope;
            Issuer = issuer;
            ClientId = asked.ClientId;
            if (TextIn(document, "issuer") != issuer)
                throw new SignInRefusedException("wrong_issuer", "The issuer at " + issuer + " names itself " + TextIn(document, "issuer") + ". Set Issuer to that name, character by character.");
            page = Trustworthy(TextIn(document, "authorization_endpoint")).AbsoluteUri;
            codes = Trustworthy(TextIn(document, "token_endpoint"));
            var names = document["authorization_response_iss_parameter_supported"];
            NamesItself = names != null && names.Kind == JsonKind.Boolean && names.AsBool();
        }

        internal string Issuer { get; private set; }
        internal string ClientId { get; private set; }

        /// <summary>Whether every answer names the issuer (RFC 9207).</summary>
        internal bool NamesItself { get; private set; }

        internal static async Task<DiscoveredIssuer> FindAsync(CairnOptions options, OpenIdIssuer asked, CancellationToken cancellationToken)
        {
            var issuer = asked.Issuer ?? options.BaseUrl.TrimEnd('/') + "/oidc";
            Trustworthy(issuer);
            // Neither the app key nor a token of the service goes to an issuer.
            var connection = new Connection(options.WithoutCredentials(issuer));
            var document = await connection.JsonAsync(new Request("GET", "/.well-known/openid-configuration", true), json => json, null, cancellationToken);
            var origin = Trustworthy(TextIn(document, "token_endpoint")).GetLeftPart(UriPartial.Authority);
            return new DiscoveredIssuer(new Connection(options.WithoutCredentials(origin)), asked, issuer, document);
        }

        /// <summary>The address of the page where the user signs in.</summary>
        internal string PageAddress(string redirectUri, string challenge, string state, string nonce)
        {
            var question = new Form()
                .Add("response_type", "code").Add("client_id", ClientId).Add("redirect_uri", redirectUri).Add("scope", scope)
                .Add("code_challenge", challenge).Add("code_challenge_method", "S256").Add("state", state).Add("nonce", nonce);
            // OpenID Connect Core 1.0, 11: without the user's consent, offline access is ignored.
            if (Array.IndexOf(scope.Split(' '), "offline_access") >= 0) question.Add("prompt", "consent");
            return page + (page.Contains("?") ? "&" : "?") + question;
        }

        /// <summary>Exchanges a code for the tokens.</summary>
        internal Task<IssuerTokens> RedeemAsync(string code, string verifier, string redirectUri, CancellationToken cancellationToken)
        {
            return AskAsync(new Form()
                .Add("grant_type", "authorization_code").Add("code", code).Add("redirect_uri", redirectUri)
                .Add("client_id", ClientId).Add("code_verifier", verifier), cancellationToken);
        }

        /// <summary>Exchanges a refresh token (RFC 6749, 6). An issuer that returns no other one expects the same again.</summary>
        internal async Task<IssuerTokens> RefreshAsync(string refreshToken, CancellationToken cancellationToken)
        {
            var tokens = await AskAsync(new Form()
                .Add("grant_type", "refresh_token").Add("refresh_token", refreshToken).Add("client_id", ClientId), cancellationToken);
            return new IssuerTokens { IdentityToken = tokens.IdentityToken, RefreshToken = tokens.RefreshToken ?? refreshToken };
        }

        /// <summary>It is sent once, because a code and most refresh tokens work once.</summary>
        private async Task<IssuerTokens> AskAsync(Form form, CancellationToken cancellationToken)
        {
            var request = new Request("POST", codes.PathAndQuery, false);
            request.SetBytes(Encoding.ASCII.GetBytes(form.ToString()), "application/x-www-form-urlencoded");
            try
            {
                var tokens = await connection.JsonAsync(request, answer => new IssuerTokens { IdentityToken = TextIn(answer, "id_token"), RefreshToken = TextIn(answer, "refresh_token") }, null, cancellationToken);
                if (tokens.IdentityToken == null) throw new SignInRefusedException("no_token", "The issuer returned no ID token. The scope must contain openid.");
                return tokens;
            }
            catch (CairnException error)
            {
                if (error.Status == 400 || error.Status == 401) throw new SignInRefusedException(error.Message, "The issuer refused the sign-in: " + error.Message + ".");
                throw;
            }
        }

        private static string TextIn(Json json, string name)
        {
            var value = json[name];
            return value == null || value.Kind != JsonKind.String ? null : value.AsString();
        }

        /// <summary>Codes and tokens travel encrypted, or stay on this machine.</summary>
        private static Uri Trustworthy(string url)
        {
            Uri address;
            if (url != null && Uri.TryCreate(url, UriKind.Absolute, out address) && (address.Scheme == "https" || (address.Scheme == "http" && address.IsLoopback))) return address;
            throw new SignInRefusedException("insecure", "The issuer's address \"" + url + "\" is neither https nor http on this machine.");
        }
    }

    /// <summary>What an issuer returns for a code or a refresh token.</summary>
    internal sealed class IssuerTokens
    {
        internal string IdentityToken;
        internal string RefreshToken;
    }
}
