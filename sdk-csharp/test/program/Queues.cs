using System;
using System.Collections.Generic;
using System.IO;
using System.Threading.Tasks;

namespace Cairn.Tests
{
    /// <summary>Cases of queues whose store or program fails, or whose player leaves.</summary>
    internal static class Queues
    {
        /// <summary>Opens a queue on a damaged file and adds a score; returns what was damaged and how many a second queue on the file finds.</summary>
        internal static Task<Json> OpenDamagedAsync(CairnClient client, string path)
        {
            var queue = new ScoreQueue(client, new FileQueueStore(path));
            var isEmpty = queue.Count == 0;
            queue.Add("session", "player", 1);
            var next = new ScoreQueue(client, new FileQueueStore(path));
            return Task.FromResult(Json.NewObject().Set("unreadable", Json.Of(queue.Unreadable)).Set("isEmpty", Json.Of(isEmpty)).Set("kept", Json.Of((long)next.Count)));
        }

        /// <summary>Adds four scores to a queue for three; returns the dropped ones and how many the file keeps.</summary>
        internal static Task<Json> FillAsync(CairnClient client, string path)
        {
            var dropped = new List<Json>();
            var queue = new ScoreQueue(client, new FileQueueStore(path)) { MostItems = 3, OnDropped = score => dropped.Add(Json.Of(score.Score)) };
            for (var score = 1; score <= 4; score++) queue.Add("session", "player", score);
            return Task.FromResult(Json.NewObject().Set("dropped", Json.ArrayOf(dropped)).Set("kept", Json.Of((long)new ScoreQueue(client, new FileQueueStore(path)).Count)));
        }

        /// <summary>Clears the queue while its first score is on its way; returns whether the text of the store still has a score.</summary>
        internal static async Task<Json> ClearWhileSendingAsync(CairnOptions options, string path, string session, string player)
        {
            var queue = new ScoreQueue(new CairnClient(options), new FileQueueStore(path));
            queue.Add(session, player, 10);
            queue.Add(session, player, 20);
            options.OnWait = wait => queue.Clear();
            await queue.SendAsync();
            return Json.Of(File.ReadAllText(path));
        }

        /// <summary>Sends a score that is refused, to a function that fails; returns how many are left.</summary>
        internal static async Task<Json> FailInRefusalAsync(CairnClient client, string path, string session, string player)
        {
            var queue = new ScoreQueue(client, new FileQueueStore(path)) { OnRefused = (score, error) => { throw new InvalidOperationException("A fault of the game."); } };
            queue.Add(session, player, 10);
            try { await queue.SendAsync(); }
            catch (InvalidOperationException) { }
            return Json.Of((long)queue.Count);
        }
    }
}
