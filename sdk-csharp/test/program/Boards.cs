using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Cairn.Tests
{
    /// <summary>Cases that follow a board.</summary>
    internal static class Boards
    {
        /// <summary>Prints each event as it arrives; returns the names of the events after as many as asked for.</summary>
        internal static async Task<Json> FollowAsync(CairnClient cairn, int count)
        {
            var names = new List<Json>();
            var states = new List<Json>();
            var stream = cairn.Leaderboards.StreamLeaderboard(follow: new FollowOptions { OnConnection = isOpen => states.Add(Json.Of(isOpen)) });
            using (var events = stream.GetAsyncEnumerator())
                while (names.Count < count && await events.MoveNextAsync())
                {
                    names.Add(Json.Of(events.Current.Name));
                    Console.WriteLine(events.Current.Data);
                }
            return Json.NewObject().Set("events", Json.ArrayOf(names)).Set("states", Json.ArrayOf(states));
        }
    }
}
