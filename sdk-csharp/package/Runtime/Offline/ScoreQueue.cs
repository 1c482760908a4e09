using System;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    /// <summary>Keeps scores while there is no connection.</summary>
    public sealed class ScoreQueue : OfflineQueue<QueuedScore>
    {
        private readonly CairnClient client;

        /// <summary>Opens the queue with the scores that the store still has.</summary>
        public ScoreQueue(CairnClient client, IQueueStore store) : base(store, QueuedScore.From) { this.client = client; }

        /// <summary>Stores a score. It is safe on the device when this returns; <see cref="OfflineQueue{T}.SendAsync(CancellationToken)"/> sends it.</summary>
        public void Add(string gameSessionId, string playerId, double score)
        {
            Keep(new QueuedScore(gameSessionId, playerId, score, QueuedItem.NewKey()));
        }

        internal override async Task<Action> SendAsync(QueuedScore item, CallOptions call, CancellationToken cancellationToken)
        {
            await client.Scores.SetScoreAsync(item.GameSessionId, item.PlayerId, new ScoreChangeInput { Score = item.Score }, call, cancellationToken);
            return null;
        }
    }

    /// <summary>A score that waits to be sent.</summary>
    public sealed class QueuedScore : QueuedItem
    {
        internal QueuedScore(string gameSessionId, string playerId, double score, string key) : base(key)
        {
            GameSessionId = gameSessionId;
            PlayerId = playerId;
            Score = score;
        }

        /// <summary>The game session.</summary>
        public string GameSessionId { get; private set; }

        /// <summary>The player.</summary>
        public string PlayerId { get; private set; }

        /// <summary>The score.</summary>
        public double Score { get; private set; }

        internal static QueuedScore From(Json json)
        {
            return new QueuedScore(Stored(json, "session").AsString(), Stored(json, "player").AsString(), Stored(json, "score").AsDouble(), Stored(json, "key").AsString());
        }

        internal override Json ToJson()
        {
            return Json.NewObject().Set("session", Json.Of(GameSessionId)).Set("player", Json.Of(PlayerId)).Set("score", Json.Of(Score)).Set("key", Json.Of(Key));
        }
    }
}
