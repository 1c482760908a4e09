using System;
using System.Threading;
using System.Threading.Tasks;
using UnityEngine;

namespace Cairn.Unity
{
    /// <summary>Opens the system browser and waits until it returns by a link of the app, such as <c>com.example.hunt:/callback</c>. For phones and headsets; use <see cref="LoopbackBrowser"/> on computers.</summary>
    public sealed class DeepLinkBrowser : ISignInBrowser
    {
        private readonly string redirectUri;

        /// <summary>Uses this redirect URI. The app must be registered for its scheme, and the issuer must accept it.</summary>
        public DeepLinkBrowser(string redirectUri) { this.redirectUri = redirectUri; }

        /// <inheritdoc/>
        public async Task<string> VisitAsync(Func<string, string> pageFor, CancellationToken cancellationToken)
        {
            string answer = null;
            Action<string> take = link =>
            {
                if (link.StartsWith(redirectUri + "?", StringComparison.Ordinal)) answer = link;
            };
            Application.deepLinkActivated += take;
            try
            {
                Application.OpenURL(pageFor(redirectUri));
                while (answer == null)
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    await Task.Yield();
                }
                return answer;
            }
            finally { Application.deepLinkActivated -= take; }
        }
    }
}
