using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Cairn;
using UnityEngine;

/// <summary>What the programs of the documentation presume: the names that the text around them introduces.</summary>
public class Presumed : MonoBehaviour
{
    protected string url, key, path, fenceId, code, clientKey, gameSessionId, playerId;
    protected long fileId;
    protected double score;
    protected CairnClient cairn;
    protected CairnOptions options;
    protected CancellationToken cancellationToken, token;
    protected Player ada;
    protected GameSession round;
    protected Stream stream;
    protected MiniGameLeaderboard board;
    protected TextMesh text;
    protected IssuedToken first;

    protected void Store(string value, DateTimeOffset endsAt, string refreshToken = null) { }
    protected void Show(long sent, long total) { }
    protected string Lines(MiniGameLeaderboard shown) { return ""; }
    protected Task<IssuedToken> FetchFromYourServerAsync(string old, CancellationToken stop) { return null; }
}
