using System;
using System.Text;
using System.Threading;
using Cairn;
using Cairn.Unity;
using UnityEngine;

/// <summary>Shows the live leaderboard of the hunt in a TextMesh on the same object. Points of check-ins rank here.</summary>
[RequireComponent(typeof(TextMesh))]
public sealed class HuntBoard : MonoBehaviour
{
    [SerializeField] private string baseUrl = "http://127.0.0.1:8080";
    [SerializeField] private string clientKey = "";
    [SerializeField] private int places = 5;
    private CancellationTokenSource stop;

    private async void OnEnable()
    {
        stop = new CancellationTokenSource();
        var token = stop.Token;
        var text = GetComponent<TextMesh>();
        var cairn = new CairnClient(new CairnOptions { BaseUrl = baseUrl, AppKey = clientKey, Transport = new UnityTransport() });
        try
        {
            MiniGameLeaderboard board = null;
            using (var events = cairn.Leaderboards.StreamLeaderboard(limit: places).GetAsyncEnumerator(token))
                while (await events.MoveNextAsync())
                {
                    board = LeaderboardChanges.Apply(board, events.Current);
                    text.text = Lines(board);
                }
        }
        catch (OperationCanceledException) { }
        catch (CairnException error) { text.text = error.Message; }
    }

    private void OnDisable() { stop.Cancel(); }

    private static string Lines(MiniGameLeaderboard board)
    {
        var lines = new StringBuilder();
        foreach (var entry in board.Leaderboard) lines.AppendLine(entry.Ranking + ". " + entry.PlayerDisplayName + "  " + entry.PlayerScore);
        return lines.ToString();
    }
}
