using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Cairn
{
    /// <summary>A request as an operation describes it, before it has a base URL and credentials.</summary>
    internal sealed class Request
    {
        private string path;
        private readonly StringBuilder query = new StringBuilder();

        internal Request(string method, string path, bool isRepeatable)
        {
            Method = method;
            this.path = path;
            IsRepeatable = isRepeatable;
            Headers = new Dictionary<string, string>();
        }

        internal string Method { get; private set; }
        internal bool IsRepeatable { get; private set; }
        internal Dictionary<string, string> Headers { get; private set; }
        internal byte[] Body { get; private set; }
        internal string ContentType { get; private set; }
        internal string Address { get { return path + query; } }

        internal void Path(string name, string value)
        {
            // An empty segment or one of dots would change the path.
            if (string.IsNullOrEmpty(value) || value == "." || value == "..")
                throw new CairnNotFoundException("There is nothing with the " + name + " \"" + value + "\".");
            path = path.Replace("{" + name + "}", Uri.EscapeDataString(value));
        }

        internal void Path(string name, long value) { Path(name, value.ToString(CultureInfo.InvariantCulture)); }

        internal void Query(string name, string value)
        {
            if (value == null) return;
            query.Append(query.Length == 0 ? '?' : '&').Append(Uri.EscapeDataString(name)).Append('=').Append(Uri.EscapeDataString(value));
        }

        internal void Query(string name, long? value) { Query(name, value == null ? null : value.Value.ToString(CultureInfo.InvariantCulture)); }
        internal void Query(string name, double? value) { Query(name, value == null ? null : value.Value.ToString("R", CultureInfo.InvariantCulture)); }
        internal void Query(string name, bool? value) { Query(name, value == null ? null : value.Value ? "true" : "false"); }
        internal void Query(string name, DateTimeOffset? value) { Query(name, value == null ? null : Json.TimeText(value.Value)); }

        internal void Header(string name, string value)
        {
            if (value == null) Headers.Remove(name);
            else Headers[name] = value;
        }

        internal void SetJson(Json body) { SetBytes(Encoding.UTF8.GetBytes(body.ToString()), "application/json"); }

        internal void SetForm(FormBody form) { SetBytes(form.ToBytes(), form.ContentType); }

        internal void SetBytes(byte[] body, string contentType)
        {
            Body = body;
            ContentType = contentType;
        }
    }
}
