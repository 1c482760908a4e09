using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Cairn
{
    /// <summary>Remembers from the RateLimit field of responses which quotas are used up, and until when.</summary>
    internal sealed class UsedQuotas
    {
        /// <summary>The quotas that count every request. Others, such as that of uploads, say nothing about the next one.</summary>
        private static readonly string[] OfEveryRequest = { "key", "user", "address" };

        private readonly Dictionary<string, TimeSpan> ends = new Dictionary<string, TimeSpan>();

        /// <summary>Not the time of day, which people change.</summary>
        private readonly Stopwatch clock = Stopwatch.StartNew();

        /// <summary>Reads a field such as <c>"key";r=0;t=41, "user";r=5;t=30</c> (draft-ietf-httpapi-ratelimit-headers-10).</summary>
        internal void Note(string field)
        {
            foreach (var item in (field ?? "").Split(','))
            {
                var parts = item.Split(';');
                var name = parts[0].Trim().Trim('"');
                long remaining, seconds;
                if (Array.IndexOf(OfEveryRequest, name) < 0 || !TryRead(parts, "r=", out remaining) || !TryRead(parts, "t=", out seconds)) continue;
                // A response that was slower than others may still show some.
                if (remaining == 0) lock (ends) ends[name] = clock.Elapsed + TimeSpan.FromSeconds(seconds);
            }
        }

        /// <summary>The wait until no quota is used up, or null.</summary>
        internal CairnWait Pending()
        {
            var now = clock.Elapsed;
            CairnWait longest = null;
            lock (ends)
                foreach (var end in ends)
                    if (end.Value > now && (longest == null || end.Value - now > longest.Time)) longest = new CairnWait(end.Value - now, end.Key, null);
            return longest;
        }

        private static bool TryRead(string[] parts, string prefix, out long value)
        {
            value = 0;
            foreach (var part in parts)
                if (part.Trim().StartsWith(prefix, StringComparison.Ordinal))
                    return long.TryParse(part.Trim().Substring(prefix.Length), NumberStyles.None, CultureInfo.InvariantCulture, out value);
            return false;
        }
    }

    /// <summary>A wait before the client sends a request.</summary>
    public sealed class CairnWait
    {
        internal CairnWait(TimeSpan time, string quota, CairnException error)
        {
            Time = time;
            Quota = quota;
            Error = error;
        }

        /// <summary>How long the client waits.</summary>
        public TimeSpan Time { get; private set; }

        /// <summary>The quota that is used up: <c>key</c>, <c>user</c> or <c>address</c>. Null before a retry.</summary>
        [MaybeNull] public string Quota { get; private set; }

        /// <summary>The failure that a retry follows. Null for a quota.</summary>
        [MaybeNull] public CairnException Error { get; private set; }
    }
}
