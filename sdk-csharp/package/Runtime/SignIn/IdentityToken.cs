using System;
using System.Text;

namespace Cairn
{
    /// <summary>Checks an ID token that came straight from the issuer (OpenID Connect Core 1.0, 3.1.3.7). Its signature is for the service, which it is sent to.</summary>
    internal static class IdentityToken
    {
        /// <summary>How far the clock of the device may be behind or ahead.</summary>
        private const int SkewSeconds = 60;

        /// <summary>Throws unless the token is of this issuer, for this program, of the sign-in with this nonce, and still valid. A token without a sign-in has no nonce.</summary>
        internal static void Check(string token, string issuer, string clientId, string nonce)
        {
            var claims = ClaimsOf(token);
            if (TextOf(claims, "iss") != issuer) throw Refused("wrong_issuer", "it names another issuer");
            if (!IsFor(claims, clientId)) throw Refused("wrong_audience", "it was issued for another program");
            if (nonce != null && TextOf(claims, "nonce") != nonce) throw Refused("wrong_nonce", "it belongs to another sign-in");
            var end = claims["exp"];
            if (end == null || end.Kind != JsonKind.Number || end.AsDouble() + SkewSeconds < DateTimeOffset.UtcNow.ToUnixTimeSeconds())
                throw Refused("expired", "it has expired. Check the clock of this device");
        }

        /// <summary>The only audience: a token that others can use too proves nothing.</summary>
        private static bool IsFor(Json claims, string clientId)
        {
            var audience = claims["aud"];
            if (audience == null) return false;
            if (audience.Kind == JsonKind.String) return audience.AsString() == clientId;
            return audience.Items.Count == 1 && audience.Items[0].Kind == JsonKind.String && audience.Items[0].AsString() == clientId;
        }

        private static Json ClaimsOf(string token)
        {
            var parts = token.Split('.');
            try
            {
                var text = parts[1].Replace('-', '+').Replace('_', '/');
                var claims = Json.Parse(Encoding.UTF8.GetString(Convert.FromBase64String(text.PadRight((text.Length + 3) / 4 * 4, '='))));
                if (parts.Length == 3 && claims.Kind == JsonKind.Object) return claims;
            }
            catch (FormatException) { }
            catch (IndexOutOfRangeException) { }
            throw Refused("no_token", "it is not a JWT");
        }

        private static string TextOf(Json claims, string name)
        {
            var value = claims[name];
            return value == null || value.Kind != JsonKind.String ? null : value.AsString();
        }

        private static SignInRefusedException Refused(string reason, string why)
        {
            return new SignInRefusedException(reason, "The ID token of the issuer is refused: " + why + ".");
        }
    }
}
