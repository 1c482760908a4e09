using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Cairn;
using Cairn.Unity;
using UnityEngine;

/// <summary>A treasure hunt: reports where the player is, says which treasure is near, and digs for it. Treasures are fences with points for a check-in. Show the messages in a TextMesh on the same object; call <see cref="SignIn"/> from an input field and <see cref="Dig"/> from a button.</summary>
[RequireComponent(typeof(TextMesh))]
public sealed class TreasureHunt : MonoBehaviour
{
    [SerializeField] private string baseUrl = "http://127.0.0.1:8080";
    [SerializeField] private string clientKey = "";
    [SerializeField] private string playerId = "";
    [SerializeField] private float secondsBetweenPositions = 5;
    private CancellationTokenSource stop = new CancellationTokenSource();
    private readonly UnityTransport transport = new UnityTransport();
    private CairnClient cairn;
    private CheckInQueue digs;
    private FenceEvent near;

    /// <summary>Starts the hunt with a six-digit code, which the user of the player creates where they are signed in.</summary>
    public async void SignIn(string code)
    {
        SignOut();
        try { await HuntAsync(code, stop.Token); }
        catch (OperationCanceledException) { }
        catch (CodeRefusedException error) { Say(error.Message); }
        catch (CairnException error) { Say(error.Message); }
    }

    /// <summary>Digs here. Without a connection, the dig is kept and sent later.</summary>
    public async void Dig()
    {
        if (near == null || digs == null) return;
        digs.Add(near.FenceId, Fix());
        try { if (!await digs.SendAsync(stop.Token)) Say("Kept until the connection is back."); }
        catch (OperationCanceledException) { }
    }

    /// <summary>Ends the hunt of this player. The next one must not send their digs.</summary>
    public void SignOut()
    {
        stop.Cancel();
        stop = new CancellationTokenSource();
        if (digs != null) digs.Clear();
        digs = null;
        near = null;
    }

    private void OnDestroy() { stop.Cancel(); }

    private async Task HuntAsync(string code, CancellationToken token)
    {
        var options = new CairnOptions { BaseUrl = baseUrl, Transport = transport };
        var session = RenewedToken.OfSession(options, await CodeSignIn.SignInAsync(new CairnClient(options), code, token));
        var user = new CairnClient(new CairnOptions { BaseUrl = baseUrl, RenewedToken = session, Transport = transport });
        var player = RenewedToken.OfPlayer(user, playerId);
        cairn = new CairnClient(new CairnOptions { BaseUrl = baseUrl, AppKey = clientKey, RenewedToken = player, Transport = transport });
        digs = new CheckInQueue(cairn, new PlayerPrefsQueueStore("hunt.digs." + playerId));
        digs.OnAnswered = (dig, answer) => Say(answer.State == "accepted" ? "Found! " + PointsIn(answer) + " points." : answer.Message ?? "A person will look at this one.");
        digs.OnRefused = (dig, error) => Say(error.Message);
        Input.location.Start();
        while (true)
        {
            if (Input.location.status == LocationServiceStatus.Running) await ReportAsync(token);
            else if (Input.location.status == LocationServiceStatus.Failed) Say("The device does not give its position. Allow the game to read the location.");
            await digs.SendAsync(token);
            await transport.WaitAsync(TimeSpan.FromSeconds(secondsBetweenPositions), token);
        }
    }

    private async Task ReportAsync(CancellationToken token)
    {
        try
        {
            var answer = await cairn.Fences.ReportPositionsAsync(new NewPositionsInput { Fixes = new List<PositionFixInput> { Fix() } }, cancellationToken: token);
            foreach (var change in answer.Events)
            {
                if (change.Type == "enter") near = change;
                else if (change.Type == "exit" && near != null && near.FenceId == change.FenceId) near = null;
                Say(near == null ? "Walk on." : near.Name + " is here: dig!");
            }
        }
        catch (CairnException error)
        {
            // The network, a limit and a restart of the service pass by.
            if (error.Status != 0 && error.Status != 429 && error.Status < 500) throw;
            Say("No connection. Digs are kept.");
        }
    }

    private static PositionFixInput Fix()
    {
        var here = Input.location.lastData;
        return new PositionFixInput
        {
            Lat = here.latitude,
            Lon = here.longitude,
            Accuracy = here.horizontalAccuracy,
            At = DateTimeOffset.FromUnixTimeMilliseconds((long)(here.timestamp * 1000)),
        };
    }

    private static double PointsIn(CheckInAnswer answer)
    {
        double points = 0;
        foreach (var award in answer.Awards) points += award.Points.Value;
        return points;
    }

    private void Say(string text) { GetComponent<TextMesh>().text = text; }
}
