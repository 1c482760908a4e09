using System.Globalization;
using System.Text;

namespace Cairn
{
    /// <summary>Writes JSON text.</summary>
    internal static class JsonWriter
    {
        internal static string Write(Json json)
        {
            var text = new StringBuilder();
            Append(text, json);
            return text.ToString();
        }

        private static void Append(StringBuilder text, Json json)
        {
            switch (json.Kind)
            {
                case JsonKind.Null: text.Append("null"); break;
                case JsonKind.String: AppendString(text, json.AsString()); break;
                case JsonKind.Object: AppendObject(text, json); break;
                case JsonKind.Array: AppendArray(text, json); break;
                default: text.Append(json.AsString()); break;
            }
        }

        private static void AppendObject(StringBuilder text, Json json)
        {
            text.Append('{');
            var isFirst = true;
            foreach (var pair in json.Members)
            {
                if (!isFirst) text.Append(',');
                isFirst = false;
                AppendString(text, pair.Key);
                text.Append(':');
                Append(text, pair.Value);
            }
            text.Append('}');
        }

        private static void AppendArray(StringBuilder text, Json json)
        {
            text.Append('[');
            for (var i = 0; i < json.Items.Count; i++)
            {
                if (i > 0) text.Append(',');
                Append(text, json.Items[i]);
            }
            text.Append(']');
        }

        private static void AppendString(StringBuilder text, string value)
        {
            text.Append('"');
            foreach (var c in value)
            {
                if (c == '"' || c == '\\') text.Append('\\').Append(c);
                else if (c < ' ') text.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
                else text.Append(c);
            }
            text.Append('"');
        }
    }
}
