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
            var page = pageFor(redirectUri);
            // Any app can open a link of this one. Only the answer to this sign-in ends it.
            Action<string> take = link => { if (SignInAnswer.IsTo(page, redirectUri, link)) answer = link; };
            Application.deepLinkActivated += take;
            try
            {
                Application.OpenURL(page);
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
