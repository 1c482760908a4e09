using System.Linq;
using System.Threading.Tasks;

namespace Cairn.Tests
{
    /// <summary>Cases that play.</summary>
    internal static class Games
    {
        /// <summary>A game with one player: returns the rank, the score and the best of the board.</summary>
        internal static async Task<Json> PlayAsync(CairnClient cairn)
        {
            var ada = await cairn.Players.CreatePlayerAsync(new PlayerChangeInput { DisplayName = "Ada \"λ\" 🏆" });
            var round = await cairn.GameSessions.CreateGameSessionAsync(new NewGameSessionInput { Name = "Saturday" });
            await cairn.Scores.RegisterPlayerAsync(round.Id, new RegistrationInput { PlayerId = ada.Id });
            await cairn.Scores.SetScoreAsync(round.Id, ada.Id, new ScoreChangeInput { Score = 1250.5 });
            var ranking = await cairn.Leaderboards.GetPlayerRankingAsync(ada.Id);
            var board = await cairn.Leaderboards.GetLeaderboardAsync(limit: 1);
            return Json.NewObject()
                .Set("rank", Json.Of(ranking.Ranking.Value))
                .Set("best", Json.Of(board.Leaderboard[0].PlayerDisplayName))
                .Set("score", Json.Of(board.Leaderboard[0].PlayerScore.Value))
                .Set("year", Json.Of((long)ada.CreatedAt.Value.UtcDateTime.Year));
        }

        /// <summary>Creates five players and reads them in pages of two.</summary>
        internal static async Task<Json> PageAsync(CairnClient cairn)
        {
            foreach (var number in Enumerable.Range(1, 5))
                await cairn.Players.CreatePlayerAsync(new PlayerChangeInput { DisplayName = "Paged " + number });
            var all = await cairn.Players.ListPlayers(limit: 2, search: "Paged").AllAsync();
            var three = await cairn.Players.ListPlayers(limit: 2, search: "Paged").AllAsync(3);
            return Json.NewObject()
                .Set("all", Json.ListOf(all, player => Json.Of(player.DisplayName)))
                .Set("three", Json.Of((long)three.Count));
        }

        /// <summary>Creates one player and returns its ID.</summary>
        internal static async Task<Json> CreateAsync(CairnClient cairn)
        {
            var player = await cairn.Players.CreatePlayerAsync(new PlayerChangeInput { DisplayName = "Once" });
            return Json.Of(player.Id);
        }
    }
}
