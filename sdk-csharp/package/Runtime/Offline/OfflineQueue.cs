using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    /// <summary>Keeps what a player does while there is no connection and sends it later, in order and each once, also after a restart. Use it from one thread.</summary>
    public abstract class OfflineQueue<T> where T : QueuedItem
    {
        private readonly IQueueStore store;
        private readonly List<T> waiting = new List<T>();
        private bool isSending;

        internal OfflineQueue(IQueueStore store, Func<Json, T> read)
        {
            this.store = store;
            var text = store.Load();
            if (!string.IsNullOrEmpty(text)) waiting = Json.Parse(text).AsList(read);
        }

        /// <summary>The number of items that are not sent yet.</summary>
        public int Count { get { return waiting.Count; } }

        /// <summary>Called with an item that the service refuses. It leaves the queue.</summary>
        public Action<T, CairnException> OnRefused { get; set; }

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
                    try { await SendAsync(next, new CallOptions { IdempotencyKey = next.Key }, cancellationToken); }
                    catch (CairnException error)
                    {
                        if (IsForLater(error)) return false;
                        if (IsUnknown(error))
                        {
                            next.Key = QueuedItem.NewKey();
                            Save();
                            continue;
                        }
                        if (OnRefused != null) OnRefused(next, error);
                    }
                    waiting.RemoveAt(0);
                    Save();
                }
                return true;
            }
            finally { isSending = false; }
        }

        internal void Keep(T item)
        {
            waiting.Add(item);
            Save();
        }

        /// <summary>Sends one item. Sending it twice must do no harm: a service that was killed does not know whether it carried out a request.</summary>
        internal abstract Task SendAsync(T item, CallOptions call, CancellationToken cancellationToken);

        /// <summary>Failures of the connection, of an ended credential and of the service say nothing about the item. Nor does a service that was killed during the request: for a while it takes the request for one that still runs.</summary>
        private static bool IsForLater(CairnException error)
        {
            var status = error.Status;
            return status == 0 || status == 401 || status == 408 || status == 429 || status >= 500 || (status == 409 && error.Message.Contains("is still being answered"));
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

        internal abstract Json ToJson();
    }
}
