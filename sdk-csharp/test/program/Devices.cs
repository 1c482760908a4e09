using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn.Tests
{
    /// <summary>Cases of a device that signs in, is offline and uploads.</summary>
    internal static class Devices
    {
        /// <summary>Uses a player token that is renewed; returns whether two calls at once share one token.</summary>
        internal static async Task<Json> RenewAsync(CairnClient issuer, string playerId)
        {
            var renewals = 0;
            var token = RenewedToken.OfPlayer(issuer, playerId);
            token.OnRenewed = fresh => renewals++;
            var both = await Task.WhenAll(token.GetAsync(CancellationToken.None), token.GetAsync(CancellationToken.None));
            return Json.NewObject().Set("isShared", Json.Of(both[0] == both[1])).Set("renewals", Json.Of((long)renewals));
        }

        /// <summary>Stores a score in a file and tries to send it.</summary>
        internal static async Task<Json> KeepScoreAsync(CairnClient client, string path, string session, string player, string score)
        {
            var queue = new ScoreQueue(client, new FileQueueStore(path));
            queue.Add(session, player, Json.Parse(score).AsDouble());
            await queue.SendAsync();
            return Json.Of((long)queue.Count);
        }

        /// <summary>Sends the scores that the file still has; returns how many are left and which were refused.</summary>
        internal static async Task<Json> SendScoresAsync(CairnClient client, string path)
        {
            var refused = Json.NewObject();
            var queue = new ScoreQueue(client, new FileQueueStore(path));
            queue.OnRefused = (score, error) => refused.Set(score.PlayerId, Json.Of(error.Status));
            await queue.SendAsync();
            return Json.NewObject().Set("left", Json.Of((long)queue.Count)).Set("refused", refused);
        }

        /// <summary>Stores a check-in in a file and tries to send it.</summary>
        internal static async Task<Json> KeepCheckInAsync(CairnClient client, string path, string fence, string fix)
        {
            var queue = new CheckInQueue(client, new FileQueueStore(path));
            queue.Add(fence, PositionFixInput.From(Json.Parse(fix)));
            await queue.SendAsync();
            return Json.Of((long)queue.Count);
        }

        /// <summary>Sends the check-ins that the file still has; returns the answers.</summary>
        internal static async Task<Json> SendCheckInsAsync(CairnClient client, string path)
        {
            var answers = new List<Json>();
            var queue = new CheckInQueue(client, new FileQueueStore(path)) { OnAnswered = (item, answer) => answers.Add(answer.ToJson()) };
            await queue.SendAsync();
            return Json.ArrayOf(answers);
        }

        /// <summary>Leaves an upload of this size after its beginning, and resumes it with a larger file; returns how that fails.</summary>
        internal static async Task<Json> ResumeOtherAsync(CairnClient client, int size)
        {
            string place = null;
            using (var stop = new CancellationTokenSource())
                try { await client.UploadAsync(new MemoryStream(new byte[size]), "a.bin", new UploadOptions { OnBegun = path => { place = path; stop.Cancel(); } }, stop.Token); }
                catch (OperationCanceledException) { }
            try { await client.UploadAsync(new MemoryStream(new byte[size + 1]), "a.bin", new UploadOptions { Resume = place }); }
            catch (CairnConflictException error) { return Json.Of(error.Message); }
            return Json.Of("completed");
        }

        /// <summary>Uploads a file of this size and prints each wait; returns its size at the service and the progress at the end.</summary>
        internal static async Task<Json> UploadAsync(CairnOptions options, int size)
        {
            options.OnWait = wait => Console.WriteLine("wait " + wait.Error.Status);
            var client = new CairnClient(options);
            var content = new byte[size];
            for (var i = 0; i < size; i++) content[i] = (byte)(i * 31 % 251);
            long last = 0;
            var result = await client.UploadAsync(new MemoryStream(content), "größe.bin", new UploadOptions { OnProgress = (sent, total) => last = sent });
            return Json.NewObject().Set("size", Json.Of(result.FileSize.Value)).Set("name", Json.Of(result.FileName)).Set("sent", Json.Of(last)).Set("url", Json.Of(result.Url));
        }
    }
}
