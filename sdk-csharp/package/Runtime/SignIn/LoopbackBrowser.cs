using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    /// <summary>The browser in which a user signs in. <see cref="LoopbackBrowser"/> is for computers; an app with a link of its own brings another.</summary>
    public interface ISignInBrowser
    {
        /// <summary>Opens the page that <paramref name="pageFor"/> returns for the redirect URI. Returns the whole address with which the browser came back.</summary>
        Task<string> VisitAsync(Func<string, string> pageFor, CancellationToken cancellationToken);
    }

    /// <summary>What a browser returns with. For implementations of <see cref="ISignInBrowser"/>.</summary>
    public static class SignInAnswer
    {
        /// <summary>Whether an address is the answer to the sign-in that opened this page: the redirect URI, with the state of the page.</summary>
        public static bool IsTo(string page, string redirectUri, string address)
        {
            var state = Form.OfQuery(page).Value("state");
            return state != null && address != null && address.StartsWith(redirectUri + "?", StringComparison.Ordinal) && Form.OfQuery(address).Value("state") == state;
        }
    }

    /// <summary>Opens the system browser and receives its return on a free port of this machine (RFC 8252, 7.3): <c>http://127.0.0.1:PORT/callback</c>.</summary>
    public sealed class LoopbackBrowser : ISignInBrowser
    {
        private const int LongestRequest = 16 * 1024;
        private const string Path = "/callback";
        private readonly Action<string> open;

        /// <summary>Opens pages with the browser of the system. In Unity, pass <c>Application.OpenURL</c>.</summary>
        public LoopbackBrowser(Action<string> open = null) { this.open = open ?? OpenInSystem; }

        /// <summary>The text of the page that the browser shows at the end.</summary>
        public string Farewell { get; set; } = "You can close this page and return to the program.";

        /// <inheritdoc/>
        public async Task<string> VisitAsync(Func<string, string> pageFor, CancellationToken cancellationToken)
        {
            var listener = new TcpListener(IPAddress.Loopback, 0);
            listener.Start();
            var answered = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
            using (cancellationToken.Register(() => answered.TrySetCanceled()))
                try
                {
                    var origin = "http://127.0.0.1:" + ((IPEndPoint)listener.LocalEndpoint).Port;
                    var page = pageFor(origin + Path);
                    var accepting = AcceptAsync(listener, origin, page, answered);
                    open(page);
                    await Task.WhenAny(answered.Task, accepting);
                    return await answered.Task;
                }
                finally { listener.Stop(); }
        }

        /// <summary>Browsers open connections ahead that send nothing: none waits for another.</summary>
        private async Task AcceptAsync(TcpListener listener, string origin, string page, TaskCompletionSource<string> answered)
        {
            var clients = new List<TcpClient>();
            try
            {
                for (;;)
                {
                    var client = await listener.AcceptTcpClientAsync();
                    clients.Add(client);
                    _ = ServeAsync(client, origin, page, answered);
                }
            }
            catch (ObjectDisposedException) { }
            catch (InvalidOperationException) { }
            catch (SocketException error) { answered.TrySetException(error); }
            foreach (var client in clients) client.Dispose();
        }

        private async Task ServeAsync(TcpClient client, string origin, string opened, TaskCompletionSource<string> answered)
        {
            try
            {
                using (client)
                {
                    var stream = client.GetStream();
                    var target = await TargetAsync(stream);
                    // Any page can send the browser here. Only the answer to this sign-in ends it.
                    var isAnswer = target != null && SignInAnswer.IsTo(opened, origin + Path, origin + target);
                    var page = Encoding.UTF8.GetBytes(isAnswer ? PageOf(Farewell) : PageOf("There is nothing here."));
                    var head = "HTTP/1.1 " + (isAnswer ? "200 OK" : "404 Not Found") + "\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: " + page.Length
                        + "\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nContent-Security-Policy: default-src 'none'\r\nConnection: close\r\n\r\n";
                    await stream.WriteAsync(Encoding.ASCII.GetBytes(head), 0, head.Length);
                    await stream.WriteAsync(page, 0, page.Length);
                    if (isAnswer) answered.TrySetResult(origin + target);
                }
            }
            catch (IOException) { }
            catch (ObjectDisposedException) { }
            catch (SocketException) { }
        }

        /// <summary>The path and query of a GET; null for anything else.</summary>
        private static async Task<string> TargetAsync(Stream stream)
        {
            var bytes = new byte[LongestRequest];
            var length = 0;
            while (length < bytes.Length)
            {
                var count = await stream.ReadAsync(bytes, length, bytes.Length - length);
                if (count == 0) return null;
                length += count;
                var head = Encoding.ASCII.GetString(bytes, 0, length);
                if (!head.Contains("\r\n\r\n")) continue;
                var words = head.Substring(0, head.IndexOf('\r')).Split(' ');
                return words.Length == 3 && words[0] == "GET" ? words[1] : null;
            }
            return null;
        }

        private static string PageOf(string text)
        {
            return "<!doctype html><meta charset=\"utf-8\"><title>Sign-in</title><p>" + text.Replace("&", "&amp;").Replace("<", "&lt;") + "</p>";
        }

        private static void OpenInSystem(string url) { Process.Start(new ProcessStartInfo(url) { UseShellExecute = true }); }
    }
}
