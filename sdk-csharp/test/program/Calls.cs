using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;

namespace Cairn.Tests
{
    /// <summary>Calls the operations that the table of cases names, one for each line of the input. Only tests use reflection.</summary>
    internal static class Calls
    {
        /// <summary>Answers each line with one: the answer, or the error.</summary>
        internal static async Task<Json> AnswerAsync(CairnOptions options)
        {
            for (var line = Console.ReadLine(); line != null; line = Console.ReadLine())
            {
                var step = Json.Parse(line);
                var outcome = Json.NewObject();
                try { outcome.Set("answer", await CallAsync(ClientOf(options, step), step)); }
                catch (CairnException error) { outcome.Set("error", ErrorOf(error)); }
                Console.WriteLine(outcome);
            }
            return Json.Null;
        }

        private static CairnClient ClientOf(CairnOptions options, Json step)
        {
            return new CairnClient(new CairnOptions { BaseUrl = options.BaseUrl, AppKey = step["appKey"].AsString(), Token = step["session"].AsString(), Retry = options.Retry });
        }

        private static async Task<Json> CallAsync(CairnClient client, Json step)
        {
            var operation = step["operation"].AsString();
            var name = char.ToUpperInvariant(operation[0]) + operation.Substring(1) + (step["pages"] == null ? "Async" : "");
            foreach (var property in typeof(CairnClient).GetProperties())
            {
                var method = property.PropertyType.GetMethod(name);
                if (method == null) continue;
                var result = Invoke(property.GetValue(client), method, method.GetParameters().Select(parameter => ArgumentOf(parameter, step)).ToArray());
                if (step["pages"] != null) return await ItemsOf(result, step["pages"]["atMost"]);
                await (Task)result;
                return method.ReturnType == typeof(Task) ? Json.Null : JsonOf(result.GetType().GetProperty("Result").GetValue(result));
            }
            throw new ArgumentException("There is no method " + name + ".");
        }

        private static object Invoke(object target, MethodInfo method, params object[] values)
        {
            try { return method.Invoke(target, values); }
            catch (TargetInvocationException wrapper)
            {
                if (wrapper.InnerException is CairnException) throw wrapper.InnerException;
                throw;
            }
        }

        private static async Task<Json> ItemsOf(object pages, Json atMost)
        {
            var all = (Task)Invoke(pages, pages.GetType().GetMethod("AllAsync"), atMost == null ? int.MaxValue : (int)atMost.AsLong(), CancellationToken.None);
            await all;
            var items = (System.Collections.IEnumerable)all.GetType().GetProperty("Result").GetValue(all);
            return Json.ListOf(items.Cast<object>(), JsonOf);
        }

        private static object ArgumentOf(ParameterInfo parameter, Json step)
        {
            var type = parameter.ParameterType;
            if (type == typeof(CancellationToken)) return CancellationToken.None;
            if (type == typeof(CallOptions)) return step["timeoutMs"] == null ? null : new CallOptions { Timeout = TimeSpan.FromMilliseconds(step["timeoutMs"].AsDouble()) };
            var given = parameter.Name == "body" ? step["body"] : Member(step["path"], parameter.Name) ?? Member(step["query"], parameter.Name) ?? Member(step["conditions"], parameter.Name);
            if (given == null || given.IsNull) return null;
            if (type == typeof(Dictionary<string, Json>)) return given.AsMap(item => item);
            if (typeof(JsonModel).IsAssignableFrom(type)) return type.GetMethod("From").Invoke(null, new object[] { given });
            return type == typeof(long) || type == typeof(long?) ? (object)given.AsLong() : given.AsString();
        }

        private static Json Member(Json json, string name) { return json == null ? null : json[name]; }

        private static Json JsonOf(object value)
        {
            var model = value as JsonModel;
            return model != null ? model.ToJson() : value as Json ?? Json.Null;
        }

        private static Json ErrorOf(CairnException error)
        {
            return Json.NewObject()
                .Set("status", Json.Of(error.Status))
                .Set("message", Json.Of(error.Message))
                .Set("requestId", Json.Of(error.RequestId))
                .Set("issues", Json.ListOf(error.Issues, issue => Json.NewObject().Set("code", Json.Of(issue.Code)).Set("path", Json.ListOf(issue.Path, part => Json.Of(part)))))
                .Set("retryAfter", error.RetryAfter == null ? Json.Null : Json.Of(error.RetryAfter.Value.TotalSeconds));
        }
    }
}
