using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    /// <summary>A list that is fetched page by page as it is read: <c>await foreach (var item in pages)</c>.</summary>
    public sealed class Pages<T> : IAsyncEnumerable<T>
    {
        private readonly Connection connection;
        private readonly CallOptions call;
        private readonly Func<Request> create;
        private readonly Func<Json, List<T>> itemsOf;

        internal Pages(Connection connection, CallOptions call, Func<Request> create, Func<Json, List<T>> itemsOf)
        {
            this.connection = connection;
            this.call = call;
            this.create = create;
            this.itemsOf = itemsOf;
        }

        /// <summary>Reads the items from the first on.</summary>
        public Enumerator GetAsyncEnumerator(CancellationToken cancellationToken = default(CancellationToken))
        {
            return new Enumerator(this, cancellationToken);
        }

        IAsyncEnumerator<T> IAsyncEnumerable<T>.GetAsyncEnumerator(CancellationToken cancellationToken) { return GetAsyncEnumerator(cancellationToken); }

        /// <summary>Fetches all items, or the first <paramref name="atMost"/>.</summary>
        public async Task<List<T>> AllAsync(int atMost = int.MaxValue, CancellationToken cancellationToken = default(CancellationToken))
        {
            var all = new List<T>();
            var items = GetAsyncEnumerator(cancellationToken);
            while (all.Count < atMost && await items.MoveNextAsync()) all.Add(items.Current);
            return all;
        }

        private Task<Page> FetchAsync(string cursor, CancellationToken cancellationToken)
        {
            var request = create();
            request.Query("cursor", cursor);
            return connection.SendAsync(request, (response, body) => new Page
            {
                Items = itemsOf(Connection.JsonIn(response, body)),
                Next = CursorIn(response.Header("link")),
            }, call, cancellationToken);
        }

        /// <summary>The cursor in the address of the next page.</summary>
        private static string CursorIn(string link)
        {
            foreach (var part in (link ?? "").Split(','))
            {
                if (!part.Contains("rel=\"next\"")) continue;
                var address = part.Substring(0, part.IndexOf('>'));
                foreach (var pair in address.Substring(address.IndexOf('?') + 1).Split('&'))
                    if (pair.StartsWith("cursor=", StringComparison.Ordinal)) return Uri.UnescapeDataString(pair.Substring("cursor=".Length));
            }
            return null;
        }

        private sealed class Page
        {
            internal List<T> Items;
            internal string Next;
        }

        /// <summary>A position in the list.</summary>
        public sealed class Enumerator : IAsyncEnumerator<T>
        {
            private readonly Pages<T> pages;
            private readonly CancellationToken cancellationToken;
            private Page page;
            private int at = -1;

            internal Enumerator(Pages<T> pages, CancellationToken cancellationToken)
            {
                this.pages = pages;
                this.cancellationToken = cancellationToken;
            }

            /// <summary>The current item.</summary>
            public T Current { get { return page.Items[at]; } }

            /// <summary>Goes to the next item and fetches its page if needed. Returns false at the end.</summary>
            public ValueTask<bool> MoveNextAsync() { return new ValueTask<bool>(AdvanceAsync()); }

            /// <summary>Ends the reading. No connection is open between two pages.</summary>
            public ValueTask DisposeAsync() { return default(ValueTask); }

            private async Task<bool> AdvanceAsync()
            {
                at++;
                while (page == null || at >= page.Items.Count)
                {
                    if (page != null && page.Next == null) return false;
                    page = await pages.FetchAsync(page == null ? null : page.Next, cancellationToken);
                    at = 0;
                }
                return true;
            }
        }
    }
}
