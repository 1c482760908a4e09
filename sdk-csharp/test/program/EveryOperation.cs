using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn.Tests
{
    /// <summary>Calls every operation once with arguments of the right types. The service refuses most of them: what counts is that each reaches it. Only this test uses reflection.</summary>
    internal static class EveryOperation
    {
        internal static async Task<Json> CallAsync(CairnClient cairn)
        {
            var faults = new List<Json>();
            foreach (var resource in typeof(CairnClient).GetProperties().Where(property => property.PropertyType.Name.EndsWith("Resource")))
                foreach (var method in resource.PropertyType.GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly))
                    try { await CallAsync(resource.GetValue(cairn), method); }
                    catch (CairnException error) { if (error.Status == 0) faults.Add(Fault(method, error)); }
                    catch (Exception error) { faults.Add(Fault(method, error)); }
            return Json.ArrayOf(faults);
        }

        private static Json Fault(MethodInfo method, Exception error) { return Json.Of(method.Name + ": " + error.Message); }

        private static async Task CallAsync(object resource, MethodInfo method)
        {
            var connected = new TaskCompletionSource<bool>();
            var result = method.Invoke(resource, method.GetParameters().Select(parameter => ArgumentOf(parameter, connected)).ToArray());
            var stream = result as EventStream;
            if (result is Task) await (Task)result;
            // An event may never come.
            else if (stream != null)
                using (var cancel = new CancellationTokenSource())
                using (var events = stream.GetAsyncEnumerator(cancel.Token))
                {
                    await await Task.WhenAny(connected.Task, events.MoveNextAsync().AsTask());
                    cancel.Cancel();
                }
        }

        private static object ArgumentOf(ParameterInfo parameter, TaskCompletionSource<bool> connected)
        {
            var type = parameter.ParameterType;
            if (type == typeof(CancellationToken)) return CancellationToken.None;
            if (type == typeof(FollowOptions)) return new FollowOptions { OnConnection = isOpen => connected.TrySetResult(isOpen) };
            if (parameter.HasDefaultValue) return null;
            if (type == typeof(string)) return "00000000-0000-4000-8000-000000000000";
            if (type == typeof(FormBody)) return new FormBody().Add("name", "value");
            return type == typeof(Json) ? Json.NewObject() : Activator.CreateInstance(type);
        }
    }
}
