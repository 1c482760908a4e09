using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn.Tests
{
    /// <summary>Cases of tokens that renew themselves.</summary>
    internal static class Tokens
    {
        /// <summary>Starts with a token that has ended although its time says otherwise; returns how often it was renewed.</summary>
        internal static async Task<Json> RefusedAsync(CairnOptions options, string dead)
        {
            var renewals = 0;
            var valid = options.Token;
            var token = new RenewedToken(new IssuedToken(dead, DateTimeOffset.UtcNow.AddHours(1)), (old, stop) => Task.FromResult(new IssuedToken(valid, DateTimeOffset.UtcNow.AddHours(1))));
            token.OnRenewed = fresh => renewals++;
            var client = new CairnClient(new CairnOptions { BaseUrl = options.BaseUrl, RenewedToken = token });
            var calls = new List<Task>();
            for (var i = 0; i < 16; i++) calls.Add(client.Users.GetCurrentUserAsync());
            await Task.WhenAll(calls);
            return Json.Of((long)renewals);
        }

        /// <summary>Cancels one of two calls that wait for a renewal; returns what each ends with.</summary>
        internal static async Task<Json> LeaveAsync()
        {
            var renewal = new TaskCompletionSource<IssuedToken>();
            var token = new RenewedToken(null, (old, stop) => renewal.Task);
            using (var stop = new CancellationTokenSource())
            {
                var left = token.GetAsync(stop.Token);
                var staying = token.GetAsync(CancellationToken.None);
                stop.Cancel();
                var outcome = "completed";
                try { await left; }
                catch (OperationCanceledException) { outcome = "cancelled"; }
                renewal.SetResult(new IssuedToken("fresh", DateTimeOffset.UtcNow.AddHours(1)));
                return Json.Of(outcome + " " + await staying);
            }
        }
    }
}
