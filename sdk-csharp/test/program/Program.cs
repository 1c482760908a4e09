using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn.Tests
{
    /// <summary>Runs one case of the client's tests against the service in CAIRN_URL and prints what it saw as JSON.</summary>
    public static class Program
    {
        /// <summary>The entry point: the name of the case, then its arguments.</summary>
        public static int Main(string[] arguments)
        {
            Console.WriteLine("result " + Run(arguments[0], arguments).GetAwaiter().GetResult());
            return 0;
        }

        private static Task<Json> Run(string name, string[] arguments)
        {
            switch (name)
            {
                case "error": return Failing(() => Client().Players.CreatePlayerAsync(new PlayerChangeInput { DisplayName = "" }));
                case "missing": return Failing(() => Client().Players.GetPlayerAsync(arguments[1]));
                case "code": return Failing(() => Client().Authentication.CreateCodeAsync());
                case "cancel": return CancelAsync();
                case "calls": return Calls.AnswerAsync(Options());
                case "quota": return Quotas.UseUpAsync(Options());
                case "quota-leave": return Quotas.LeaveAsync(Options());
                case "every": return EveryOperation.CallAsync(Client());
                case "board": return Boards.FollowAsync(Client(), int.Parse(arguments[1]));
                case "scores": return Writers.WriteAsync(Options(), arguments[1], arguments[2], int.Parse(arguments[3]));
                case "board-until": return Writers.FollowAsync(Client(), double.Parse(arguments[1]));
                case "sign-in": return Failing(() => CodeSignIn.SignInAsync(Client(), arguments[1]));
                case "open-id": return SignIns.SignInAsync(Options());
                case "open-id-refusal": return SignIns.RefusalAsync(Options(), arguments[1]);
                case "open-id-leave": return SignIns.LeaveAsync(Options());
                case "renew-refused": return Tokens.RefusedAsync(Options(), arguments[1]);
                case "renew-leave": return Tokens.LeaveAsync();
                case "open-id-offline": return SignIns.OfflineAsync(Options(), arguments[1], arguments[2]);
                case "queue-damaged": return Queues.OpenDamagedAsync(Client(), arguments[1]);
                case "queue-full": return Queues.FillAsync(Client(), arguments[1]);
                case "queue-clear": return Queues.ClearWhileSendingAsync(Options(), arguments[1], arguments[2], arguments[3]);
                case "queue-failing": return Queues.FailInRefusalAsync(Client(), arguments[1], arguments[2], arguments[3]);
                case "upload-resume": return Devices.ResumeOtherAsync(Client(), int.Parse(arguments[1]));
                case "streams": return Boards.FollowTwiceAsync(Client());
                case "renew": return Devices.RenewAsync(Client(), arguments[1]);
                case "keep": return Devices.KeepScoreAsync(Client(), arguments[1], arguments[2], arguments[3], arguments[4]);
                case "send": return Devices.SendScoresAsync(Client(), arguments[1]);
                case "keep-check-in": return Devices.KeepCheckInAsync(Client(), arguments[1], arguments[2], arguments[3]);
                case "send-check-ins": return Devices.SendCheckInsAsync(Client(), arguments[1]);
                case "upload": return Devices.UploadAsync(Options(), int.Parse(arguments[1]));
                case "pose": return Task.FromResult(Poses.Convert(Json.Parse(arguments[1])));
                case "offset": return Task.FromResult(Poses.Offset(Json.Parse(arguments[1])));
                case "json": return Task.FromResult(Json.Parse(arguments[1]));
                default: throw new ArgumentException("There is no case " + name + ".");
            }
        }

        private static TimeSpan TimeLimit() { return TimeSpan.FromMilliseconds(double.Parse(Environment.GetEnvironmentVariable("CAIRN_TIMEOUT_MS") ?? "30000")); }

        private static CairnClient Client() { return new CairnClient(Options()); }

        private static CairnOptions Options()
        {
            return new CairnOptions
            {
                BaseUrl = Environment.GetEnvironmentVariable("CAIRN_URL"),
                AppKey = Environment.GetEnvironmentVariable("CAIRN_APP_KEY"),
                Token = Environment.GetEnvironmentVariable("CAIRN_SESSION"),
                Timeout = TimeLimit(),
                Retry = new RetryPlan { FirstWait = TimeSpan.FromMilliseconds(20) },
            };
        }

        /// <summary>Cancels a call at the end of the input.</summary>
        private static async Task<Json> CancelAsync()
        {
            using (var stop = new CancellationTokenSource())
            {
                new Thread(() => { Console.In.ReadToEnd(); stop.Cancel(); }) { IsBackground = true }.Start();
                try { await Client().Players.ListPlayersAsync(cancellationToken: stop.Token); }
                catch (OperationCanceledException) { return Json.Of("cancelled"); }
                return Json.Of("completed");
            }
        }

        private static async Task<Json> Failing(Func<Task> call)
        {
            try { await call(); }
            catch (CairnException error)
            {
                return Json.NewObject()
                    .Set("type", Json.Of(error.GetType().Name))
                    .Set("status", Json.Of(error.Status))
                    .Set("message", Json.Of(error.Message))
                    .Set("requestId", Json.Of(error.RequestId))
                    .Set("issues", Json.ListOf(error.Issues, issue => Json.Of(issue.Code + " " + string.Join(".", issue.Path))));
            }
            return Json.Of("completed");
        }
    }
}
