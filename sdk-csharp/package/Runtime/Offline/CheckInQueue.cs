using System;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    /// <summary>Keeps check-ins while there is no connection. The service accepts a fix for five minutes.</summary>
    public sealed class CheckInQueue : OfflineQueue<QueuedCheckIn>
    {
        private readonly CairnClient client;

        /// <summary>Opens the queue with the check-ins that the store still has. The client needs a player token.</summary>
        public CheckInQueue(CairnClient client, IQueueStore store) : base(store, QueuedCheckIn.From) { this.client = client; }

        /// <summary>Called with each check-in and what the service decided.</summary>
        [MaybeNull] public Action<QueuedCheckIn, CheckInAnswer> OnAnswered { get; set; }

        /// <summary>Stores a check-in. It is safe on the device when this returns; <see cref="OfflineQueue{T}.SendAsync(CancellationToken)"/> sends it.</summary>
        public void Add(string fenceId, PositionFixInput fix) { Keep(new QueuedCheckIn(fenceId, fix, QueuedItem.NewKey())); }

        internal override async Task<Action> SendAsync(QueuedCheckIn item, CallOptions call, CancellationToken cancellationToken)
        {
            var answer = await client.Fences.CheckInAsync(new NewCheckInInput { FenceId = item.FenceId, Fix = item.Fix }, call, cancellationToken);
            return () => { if (OnAnswered != null) OnAnswered(item, answer); };
        }
    }

    /// <summary>A check-in that waits to be sent.</summary>
    public sealed class QueuedCheckIn : QueuedItem
    {
        internal QueuedCheckIn(string fenceId, PositionFixInput fix, string key) : base(key)
        {
            FenceId = fenceId;
            Fix = fix;
        }

        /// <summary>The fence.</summary>
        public string FenceId { get; private set; }

        /// <summary>Where the player was, and when.</summary>
        public PositionFixInput Fix { get; private set; }

        internal static QueuedCheckIn From(Json json)
        {
            return new QueuedCheckIn(Stored(json, "fence").AsString(), PositionFixInput.From(Stored(json, "fix")), Stored(json, "key").AsString());
        }

        internal override Json ToJson()
        {
            return Json.NewObject().Set("fence", Json.Of(FenceId)).Set("fix", Fix.ToJson()).Set("key", Json.Of(Key));
        }
    }
}
