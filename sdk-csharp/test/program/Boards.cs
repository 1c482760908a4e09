using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn.Tests
{
    /// <summary>Cases that follow a board.</summary>
    internal static class Boards
    {
        /// <summary>Reads the first event of one stream twice; returns their names.</summary>
        internal static async Task<Json> FollowTwiceAsync(CairnClient cairn)
        {
            var names = new List<Json>();
            IAsyncEnumerable<StreamEvent> stream = cairn.Leaderboards.StreamLeaderboard();
            for (var times = 0; times < 2; times++)
            {
                var events = stream.GetAsyncEnumerator(CancellationToken.None);
                await events.MoveNextAsync();
                names.Add(Json.Of(events.Current.Name));
                await events.DisposeAsync();
            }
            return Json.ArrayOf(names);
        }

        /// <summary>Prints the board after each event; returns the names of the events and the states of the connection.</summary>
        internal static async Task<Json> FollowAsync(CairnClient cairn, int count)
        {
            MiniGameLeaderboard board = null;
            var names = new List<Json>();
            var states = new List<Json>();
            var stream = cairn.Leaderboards.StreamLeaderboard(follow: new FollowOptions { OnConnection = isOpen => states.Add(Json.Of(isOpen)) });
            using (var events = stream.GetAsyncEnumerator())
                while (names.Count < count && await events.MoveNextAsync())
                {
                    names.Add(Json.Of(events.Current.Name));
                    board = LeaderboardChanges.Apply(board, events.Current);
                    Console.WriteLine(board.ToJson());
                }
            return Json.NewObject().Set("events", Json.ArrayOf(names)).Set("states", Json.ArrayOf(states));
        }
    }
}
