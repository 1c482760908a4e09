using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    /// <summary>Keeps what a player does while there is no connection and sends it later, in order and each once, also after a restart. Use it from one thread, and one queue for each store and player.</summary>
    public abstract class OfflineQueue<T> where T : QueuedItem
    {
        private readonly IQueueStore store;
        private readonly List<T> waiting = new List<T>();
        private bool isSending;

        internal OfflineQueue(IQueueStore store, Func<Json, T> read)
        {
            this.store = store;
            MostItems = 500;
            var text = store.Load();
            if (string.IsNullOrEmpty(text)) return;
            try { waiting = Json.Parse(text).AsList(read); }
            catch (FormatException) { Unreadable = text; }
        }

        /// <summary>The number of items that are not sent yet.</summary>
        public int Count { get { return waiting.Count; } }

        /// <summary>The greatest number of items. One more takes the place of the oldest. Defaults to 500.</summary>
        public int MostItems { get; set; }

        /// <summary>What the store had, if it was damaged; otherwise null. The queue is then empty, and the next item replaces the text.</summary>
        [MaybeNull] public string Unreadable { get; private set; }

        /// <summary>Called with an item that the service refuses. It has left the queue.</summary>
        [MaybeNull] public Action<T, CairnException> OnRefused { get; set; }

        /// <summary>Called with an item that made place for a newer one, and is not sent.</summary>
        [MaybeNull] public Action<T> OnDropped { get; set; }

        /// <summary>Sends the items in order. Returns false if some are left, because the service cannot be reached or cannot take them now. A repeat carries the same Idempotency-Key.</summary>
        public async Task<bool> SendAsync(CancellationToken cancellationToken = default(CancellationToken))
        {
            if (isSending) return false;
            isSending = true;
            try
            {
                while (waiting.Count > 0)
                {
                    var next = waiting[0];
                    Action report;
                    try { report = await SendAsync(next, new CallOptions { IdempotencyKey = next.Key }, cancellationToken); }
                    catch (CairnException error)
                    {
                        if (IsForLater(error)) return false;
                        if (IsUnknown(error))
                        {
                            next.Key = QueuedItem.NewKey();
                            Save();
                            continue;
                        }
                        report = () => { if (OnRefused != null) OnRefused(next, error); };
                    }
                    // First: a program that fails in its own function must not send the item again. Clear may have removed it.
                    if (waiting.Remove(next)) Save();
                    if (report != null) report();
                }
                return true;
            }
            finally { isSending = false; }
        }

        /// <summary>Removes all items, here and from the store. Call it when the player signs out: the next one must not send them.</summary>
        public void Clear()
        {
            waiting.Clear();
            Save();
        }

        internal void Keep(T item)
        {
            // The first one may be on its way.
            var oldest = isSending ? 1 : 0;
            T dropped = null;
            if (waiting.Count >= MostItems && waiting.Count > oldest)
            {
                dropped = waiting[oldest];
                waiting.RemoveAt(oldest);
            }
            waiting.Add(item);
            Save();
            if (dropped != null && OnDropped != null) OnDropped(dropped);
        }

        /// <summary>Sends one item; returns what to call once it has left the queue, or null. Sending it twice must do no harm: a service that was killed does not know whether it carried out a request.</summary>
        internal abstract Task<Action> SendAsync(T item, CallOptions call, CancellationToken cancellationToken);

        /// <summary>Failures of the connection, of an ended credential and of the service say nothing about the item, and nothing else than the service refuses it. Nor does a service that was killed during the request: for a while it takes the request for one that still runs.</summary>
        private static bool IsForLater(CairnException error)
        {
            var status = error.Status;
            return !error.IsOfService || status == 401 || status == 408 || status == 429 || status >= 500 || (status == 409 && error.Message.Contains("is still being answered"));
        }

        private static bool IsUnknown(CairnException error) { return error.Status == 409 && error.Message.StartsWith("The outcome of the request", StringComparison.Ordinal); }

        private void Save() { store.Save(Json.ListOf(waiting, item => item.ToJson()).ToString()); }
    }

    /// <summary>What a queue keeps.</summary>
    public abstract class QueuedItem
    {
        internal QueuedItem(string key) { Key = key; }

        internal string Key { get; set; }

        internal static string NewKey() { return Guid.NewGuid().ToString("N"); }

        /// <summary>A member of a stored item. Throws FormatException if it is missing.</summary>
        internal static Json Stored(Json json, string name)
        {
            var value = json[name];
            if (value == null || value.IsNull) throw new FormatException("A stored item has no " + name + ".");
            return value;
        }

        internal abstract Json ToJson();
    }
}
