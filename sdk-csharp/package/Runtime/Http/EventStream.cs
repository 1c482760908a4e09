using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn
{
    /// <summary>One server-sent event.</summary>
    public sealed class StreamEvent
    {
        /// <summary>The name of the event.</summary>
        public string Name { get; internal set; }

        /// <summary>The ID with which a stream resumes.</summary>
        public string Id { get; internal set; }

        /// <summary>The data.</summary>
        public Json Data { get; internal set; }
    }

    /// <summary>How a stream is followed.</summary>
    public sealed class FollowOptions
    {
        /// <summary>Resumes after this event. Missed events are sent first.</summary>
        [MaybeNull] public string LastEventId { get; set; }

        /// <summary>Called with true when the stream opens and with false when it breaks and reconnects.</summary>
        [MaybeNull] public Action<bool> OnConnection { get; set; }
    }

    /// <summary>A stream of events that reconnects without missing any: <c>await foreach (var change in stream)</c>. It ends at the last state of a record.</summary>
    public sealed class EventStream : IAsyncEnumerable<StreamEvent>
    {
        private readonly Connection connection;
        private readonly Request request;
        private readonly FollowOptions options;

        internal EventStream(Connection connection, Request request, FollowOptions options)
        {
            this.connection = connection;
            this.request = request;
            this.options = options ?? new FollowOptions();
        }

        /// <summary>Opens the stream with the first read.</summary>
        public Enumerator GetAsyncEnumerator(CancellationToken cancellationToken = default(CancellationToken))
        {
            return new Enumerator(this, cancellationToken);
        }

        IAsyncEnumerator<StreamEvent> IAsyncEnumerable<StreamEvent>.GetAsyncEnumerator(CancellationToken cancellationToken) { return GetAsyncEnumerator(cancellationToken); }

        /// <summary>A position in the stream. Dispose it to end the connection.</summary>
        public sealed class Enumerator : IAsyncEnumerator<StreamEvent>, IDisposable
        {
            /// <summary>The service sends a comment every 15 s. A longer silence means that the connection is dead.</summary>
            private static readonly TimeSpan LongestSilence = TimeSpan.FromSeconds(45);

            private readonly EventStream stream;
            private readonly CancellationToken cancellationToken;
            private readonly EventParser parser = new EventParser();
            private readonly byte[] buffer = new byte[16 * 1024];
            private TransportResponse response;
            private string lastId;
            private int failures;

            internal Enumerator(EventStream stream, CancellationToken cancellationToken)
            {
                this.stream = stream;
                this.cancellationToken = cancellationToken;
                lastId = stream.options.LastEventId;
            }

            /// <summary>The current event.</summary>
            public StreamEvent Current { get; private set; }

            /// <summary>Waits for the next event, and reconnects if the stream breaks. Returns false at the end. Throws if the service refuses.</summary>
            public ValueTask<bool> MoveNextAsync() { return new ValueTask<bool>(AdvanceAsync()); }

            private async Task<bool> AdvanceAsync()
            {
                for (;;)
                {
                    StreamEvent next;
                    var isTaken = parser.TryTake(out next);
                    lastId = parser.LastId ?? lastId;
                    if (isTaken)
                    {
                        failures = 0;
                        Current = next;
                        return true;
                    }
                    CairnException failure = null;
                    try
                    {
                        if (response == null && !await OpenAsync()) return false;
                        var count = await ReadAsync();
                        if (count > 0)
                        {
                            parser.Add(buffer, count);
                            continue;
                        }
                    }
                    catch (CairnException error)
                    {
                        if (error.Status >= 400 && error.Status < 500 && error.Status != 408 && error.Status != 429) throw;
                        failure = error;
                    }
                    Close();
                    var wait = stream.connection.Plan.WaitAfter(++failures, failure == null ? null : failure.RetryAfter);
                    await stream.connection.WaitAsync(new CairnWait(wait, null, failure ?? new CairnUnreachableException("The stream ended.", null)), cancellationToken);
                }
            }

            /// <summary>Ends the connection.</summary>
            public void Dispose() { Close(); }

            /// <summary>Ends the connection, as <c>await foreach</c> does.</summary>
            public ValueTask DisposeAsync()
            {
                Close();
                return default(ValueTask);
            }

            private async Task<bool> OpenAsync()
            {
                stream.request.Header("accept", "text/event-stream");
                stream.request.Header("last-event-id", lastId);
                var opened = await stream.connection.OpenAsync(stream.request, null, true, cancellationToken);
                if (opened.Status == 204)
                {
                    opened.Dispose();
                    return false;
                }
                if (opened.Status != 200)
                    using (opened) throw CairnException.From(opened, await opened.ReadTextAsync(cancellationToken));
                if (!(opened.Header("content-type") ?? "").StartsWith("text/event-stream", StringComparison.OrdinalIgnoreCase))
                    using (opened) throw new CairnUnreachableException("The answer is not a stream of the service.", null);
                parser.Clear();
                response = opened;
                Report(true);
                return true;
            }

            private async Task<int> ReadAsync()
            {
                using (var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken))
                {
                    try
                    {
                        var reading = response.ReadAsync(buffer, stop.Token);
                        var first = await Task.WhenAny(reading, stream.connection.Transport.WaitAsync(LongestSilence, stop.Token));
                        stop.Token.ThrowIfCancellationRequested();
                        if (first != reading) throw new OperationCanceledException();
                        return await reading;
                    }
                    catch (Exception cause) { throw stream.connection.Unanswered(cause, cancellationToken); }
                    finally { stop.Cancel(); }
                }
            }

            private void Close()
            {
                if (response == null) return;
                response.Dispose();
                response = null;
                Report(false);
            }

            private void Report(bool isOpen) { if (stream.options.OnConnection != null) stream.options.OnConnection(isOpen); }
        }
    }

    /// <summary>Parses server-sent events with JSON data (WHATWG HTML, 9.2.6).</summary>
    internal sealed class EventParser
    {
        private readonly Decoder decoder = Encoding.UTF8.GetDecoder();
        private string rest = "";

        /// <summary>The last ID of the connection, which an event without data may have set; null before one.</summary>
        internal string LastId { get; private set; }

        internal void Clear()
        {
            LastId = null;
            decoder.Reset();
            rest = "";
        }

        internal void Add(byte[] bytes, int count)
        {
            var characters = new char[Encoding.UTF8.GetMaxCharCount(count)];
            var length = decoder.GetChars(bytes, 0, count, characters, 0);
            rest = (rest + new string(characters, 0, length)).Replace("\r\n", "\n");
        }

        internal bool TryTake(out StreamEvent taken)
        {
            for (var end = rest.IndexOf("\n\n", StringComparison.Ordinal); end >= 0; end = rest.IndexOf("\n\n", StringComparison.Ordinal))
            {
                var block = rest.Substring(0, end);
                rest = rest.Substring(end + 2);
                taken = EventIn(block);
                if (taken != null) return true;
            }
            taken = null;
            return false;
        }

        private StreamEvent EventIn(string block)
        {
            var found = new StreamEvent { Name = "message", Id = "" };
            string data = null;
            foreach (var line in block.Split('\n'))
            {
                var colon = line.IndexOf(':');
                if (colon <= 0) continue;
                var value = line.Substring(colon + 1);
                if (value.StartsWith(" ", StringComparison.Ordinal)) value = value.Substring(1);
                switch (line.Substring(0, colon))
                {
                    case "event": found.Name = value; break;
                    case "id": found.Id = value; break;
                    case "data": data = data == null ? value : data + "\n" + value; break;
                }
            }
            if (found.Id.Length > 0) LastId = found.Id;
            if (data == null) return null;
            found.Data = Json.Parse(data);
            return found;
        }
    }
}
