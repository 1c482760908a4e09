using System.Collections.Generic;

namespace Cairn
{
    /// <summary>Applies the events of a leaderboard stream.</summary>
    public static class LeaderboardChanges
    {
        /// <summary>The leaderboard after an event. <c>board</c> replaces it. <c>entries</c> first removes the removed and changed entries, then inserts each changed entry at its index. Ranks follow from the order.</summary>
        public static MiniGameLeaderboard Apply(MiniGameLeaderboard board, StreamEvent change)
        {
            if (change.Name == "board") return MiniGameLeaderboard.From(change.Data);
            if (change.Name != "entries" || board == null) return board;
            var gone = new HashSet<string>();
            foreach (var id in change.Data["removed"].Items) gone.Add(id.AsString());
            foreach (var entry in change.Data["changed"].Items) gone.Add(entry["playerId"].AsString());
            board.Leaderboard.RemoveAll(entry => gone.Contains(entry.PlayerId));
            foreach (var json in change.Data["changed"].Items)
            {
                var entry = LeaderboardEntry.From(json);
                entry.Extra.Remove("index");
                board.Leaderboard.Insert((int)json["index"].AsLong(), entry);
            }
            Rank(board.Leaderboard);
            return board;
        }

        /// <summary>Equal scores share a rank: 1-2-2-4.</summary>
        private static void Rank(List<LeaderboardEntry> entries)
        {
            for (var i = 0; i < entries.Count; i++)
                entries[i].Ranking = i > 0 && entries[i].PlayerScore == entries[i - 1].PlayerScore ? entries[i - 1].Ranking : i + 1;
        }
    }
}
