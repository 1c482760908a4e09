using System;
using System.Collections.Generic;
using System.Text;

namespace Cairn
{
    /// <summary>Names with values in the form of a query (application/x-www-form-urlencoded).</summary>
    internal sealed class Form
    {
        private readonly List<KeyValuePair<string, string>> pairs = new List<KeyValuePair<string, string>>();

        internal Form Add(string name, string value)
        {
            pairs.Add(new KeyValuePair<string, string>(name, value));
            return this;
        }

        /// <summary>The value of a name that is there once; otherwise null.</summary>
        internal string Value(string name)
        {
            var values = pairs.FindAll(pair => pair.Key == name);
            return values.Count == 1 ? values[0].Value : null;
        }

        /// <summary>Reads the query of an address.</summary>
        internal static Form OfQuery(string address)
        {
            var form = new Form();
            var query = address.Split('#')[0];
            var at = query.IndexOf('?');
            if (at < 0) return form;
            foreach (var part in query.Substring(at + 1).Split('&'))
            {
                var equals = part.IndexOf('=');
                if (equals > 0) form.Add(Decoded(part.Substring(0, equals)), Decoded(part.Substring(equals + 1)));
            }
            return form;
        }

        public override string ToString()
        {
            var text = new StringBuilder();
            foreach (var pair in pairs) text.Append(text.Length == 0 ? "" : "&").Append(Uri.EscapeDataString(pair.Key)).Append('=').Append(Uri.EscapeDataString(pair.Value));
            return text.ToString();
        }

        private static string Decoded(string text) { return Uri.UnescapeDataString(text.Replace('+', ' ')); }
    }
}
