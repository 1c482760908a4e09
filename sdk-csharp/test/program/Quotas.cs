using System;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn.Tests
{
    /// <summary>Cases that use up a quota.</summary>
    internal static class Quotas
    {
        /// <summary>Reads twice; returns each wait of the client: its quota, or the status that a retry follows.</summary>
        internal static async Task<Json> UseUpAsync(CairnOptions options)
        {
            var waits = Json.NewObject();
            options.OnWait = wait => waits.Set(wait.Quota ?? wait.Error.Status.ToString(), Json.Of(wait.Time > TimeSpan.Zero));
            var client = new CairnClient(options);
            await client.Players.ListPlayersAsync();
            try { await client.Players.ListPlayersAsync(); }
            catch (CairnRateLimitException error) { return waits.Set("refused", Json.Of(error.RetryAfter != null)); }
            return waits;
        }

        /// <summary>Cancels the second of two reads while it waits for the quota.</summary>
        internal static async Task<Json> LeaveAsync(CairnOptions options)
        {
            options.Retry.LongestWait = TimeSpan.FromMinutes(2);
            using (var stop = new CancellationTokenSource())
            {
                options.OnWait = wait => stop.Cancel();
                var client = new CairnClient(options);
                await client.Players.ListPlayersAsync();
                try { await client.Players.ListPlayersAsync(cancellationToken: stop.Token); }
                catch (OperationCanceledException) { return Json.Of("cancelled"); }
                return Json.Of("completed");
            }
        }
    }
}
