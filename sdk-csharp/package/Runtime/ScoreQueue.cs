using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    /// <summary>Keeps scores while there is no connection and sends them later, in order and each once, also after a restart. Use it from one thread.</summary>
    public sealed class ScoreQueue
    {
        private readonly CairnClient client;
        private readonly IQueueStore store;
        private readonly List<QueuedScore> waiting = new List<QueuedScore>();
        private bool isSending;

        /// <summary>Opens the queue with the scores that the store still has.</summary>
        public ScoreQueue(CairnClient client, IQueueStore store)
        {
            this.client = client;
            this.store = store;
            var text = store.Load();
            if (!string.IsNullOrEmpty(text)) waiting = Json.Parse(text).AsList(QueuedScore.From);
        }

        /// <summary>The number of scores that are not sent yet.</summary>
        public int Count { get { return waiting.Count; } }

        /// <summary>Called with a score that the service refuses, such as one out of bounds. It leaves the queue.</summary>
        public Action<QueuedScore, CairnException> OnRefused { get; set; }

        /// <summary>Stores a score. It is safe on the device when this returns; <see cref="SendAsync"/> sends it.</summary>
        public void Add(string gameSessionId, string playerId, double score)
        {
            waiting.Add(new QueuedScore(gameSessionId, playerId, score, Guid.NewGuid().ToString("N")));
            Save();
        }

        /// <summary>Sends the scores in order. Returns false if some are left, because the service cannot be reached or cannot take them now. A repeat carries the same Idempotency-Key.</summary>
        public async Task<bool> SendAsync(CancellationToken cancellationToken = default(CancellationToken))
        {
            if (isSending) return false;
            isSending = true;
            try
            {
                while (waiting.Count > 0)
                {
                    var next = waiting[0];
                    try
                    {
                        var call = new CallOptions { IdempotencyKey = next.Key };
                        await client.Scores.SetScoreAsync(next.GameSessionId, next.PlayerId, new ScoreChangeInput { Score = next.Score }, call, cancellationToken);
                    }
                    catch (CairnException error)
                    {
                        if (IsForLater(error.Status)) return false;
                        if (OnRefused != null) OnRefused(next, error);
                    }
                    waiting.RemoveAt(0);
                    Save();
                }
                return true;
            }
            finally { isSending = false; }
        }

        /// <summary>Failures of the connection, of an ended credential and of the service say nothing about the score.</summary>
        private static bool IsForLater(int status)
        {
            return status == 0 || status == 401 || status == 408 || status == 429 || status >= 500;
        }

        private void Save() { store.Save(Json.ListOf(waiting, score => score.ToJson()).ToString()); }
    }

    /// <summary>A score that waits to be sent.</summary>
    public sealed class QueuedScore
    {
        internal QueuedScore(string gameSessionId, string playerId, double score, string key)
        {
            GameSessionId = gameSessionId;
            PlayerId = playerId;
            Score = score;
            Key = key;
        }

        /// <summary>The game session.</summary>
        public string GameSessionId { get; private set; }

        /// <summary>The player.</summary>
        public string PlayerId { get; private set; }

        /// <summary>The score.</summary>
        public double Score { get; private set; }

        internal string Key { get; private set; }

        internal static QueuedScore From(Json json)
        {
            return new QueuedScore(json["session"].AsString(), json["player"].AsString(), json["score"].AsDouble(), json["key"].AsString());
        }

        internal Json ToJson()
        {
            return Json.NewObject().Set("session", Json.Of(GameSessionId)).Set("player", Json.Of(PlayerId)).Set("score", Json.Of(Score)).Set("key", Json.Of(Key));
        }
    }

    /// <summary>Keeps the text of a queue on the device.</summary>
    public interface IQueueStore
    {
        /// <summary>The stored text, or null.</summary>
        string Load();

        /// <summary>Replaces the text, completely or not at all.</summary>
        void Save(string text);
    }

    /// <summary>Keeps a queue in a file.</summary>
    public sealed class FileQueueStore : IQueueStore
    {
        private readonly string path;

        /// <summary>Uses this file. Its folder must exist.</summary>
        public FileQueueStore(string path) { this.path = path; }

        /// <inheritdoc/>
        public string Load() { return File.Exists(path) ? File.ReadAllText(path) : null; }

        /// <inheritdoc/>
        public void Save(string text)
        {
            var next = path + ".next";
            File.WriteAllText(next, text);
            if (File.Exists(path)) File.Replace(next, path, null);
            else File.Move(next, path);
        }
    }
}
