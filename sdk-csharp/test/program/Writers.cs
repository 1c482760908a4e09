using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Cairn.Tests
{
    /// <summary>Cases that last while the network and the service fail.</summary>
    internal static class Writers
    {
        /// <summary>Writes the scores from 1 to a number, and repeats each under its key until there is an answer. Prints each written score and each wait; returns the scores whose outcome the service does not know.</summary>
        internal static async Task<Json> WriteAsync(CairnOptions options, string session, string player, int count)
        {
            options.Timeout = TimeSpan.FromSeconds(2);
            options.Retry.LongestWait = TimeSpan.FromMilliseconds(500);
            options.OnWait = wait => Console.WriteLine("wait " + wait.Error.Status);
            var client = new CairnClient(options);
            var unknown = new List<Json>();
            for (var score = 1; score <= count; score++)
            {
                var call = new CallOptions { IdempotencyKey = Guid.NewGuid().ToString("N") };
                for (var conflicts = 0; ; )
                    try
                    {
                        await client.Scores.SetScoreAsync(session, player, new ScoreChangeInput { Score = score }, call);
                        Console.WriteLine("written " + score);
                        break;
                    }
                    catch (CairnConflictException)
                    {
                        // An interrupted request may still run, for as long as the machine is busy. That of a killed service never ends.
                        if (++conflicts < 50)
                        {
                            await Task.Delay(200);
                            continue;
                        }
                        unknown.Add(Json.Of((long)score));
                        break;
                    }
                    catch (CairnException error) { if (error.Status >= 400 && error.Status < 500) throw; }
            }
            return Json.ArrayOf(unknown);
        }

        /// <summary>Follows a board until its best score is this one. Prints the best score after each event; returns the states of the connection.</summary>
        internal static async Task<Json> FollowAsync(CairnClient client, double until)
        {
            var states = new List<Json>();
            MiniGameLeaderboard board = null;
            using (var events = client.Leaderboards.StreamLeaderboard(follow: new FollowOptions { OnConnection = isOpen => states.Add(Json.Of(isOpen)) }).GetAsyncEnumerator())
                while (await events.MoveNextAsync())
                {
                    board = LeaderboardChanges.Apply(board, events.Current);
                    var best = board.Leaderboard.Count == 0 ? 0 : board.Leaderboard[0].PlayerScore.Value;
                    Console.WriteLine("best " + best);
                    if (best == until) break;
                }
            return Json.ArrayOf(states);
        }
    }
}
