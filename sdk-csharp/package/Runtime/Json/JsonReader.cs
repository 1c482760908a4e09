using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Cairn
{
    /// <summary>Reads JSON text.</summary>
    internal sealed class JsonReader
    {
        private const int DeepestNesting = 200;
        private readonly string source;
        private int at;

        internal JsonReader(string source) { this.source = source; }

        internal Json Read()
        {
            var value = ReadValue(0);
            SkipSpace();
            if (at < source.Length) throw Fault("nothing after the value");
            return value;
        }

        private Json ReadValue(int depth)
        {
            if (depth > DeepestNesting) throw Fault("less nesting");
            SkipSpace();
            if (at >= source.Length) throw Fault("a value");
            switch (source[at])
            {
                case '{': return ReadObject(depth);
                case '[': return ReadArray(depth);
                case '"': return Json.Of(ReadString());
                case 't': Expect("true"); return Json.Of(true);
                case 'f': Expect("false"); return Json.Of(false);
                case 'n': Expect("null"); return Json.Null;
                default: return ReadNumber();
            }
        }

        private Json ReadObject(int depth)
        {
            var json = Json.NewObject();
            at++;
            if (Skip('}')) return json;
            do
            {
                SkipSpace();
                if (at >= source.Length || source[at] != '"') throw Fault("a name");
                var name = ReadString();
                if (!Skip(':')) throw Fault("':'");
                json.Set(name, ReadValue(depth + 1));
            }
            while (Skip(','));
            if (!Skip('}')) throw Fault("',' or '}'");
            return json;
        }

        private Json ReadArray(int depth)
        {
            var items = new List<Json>();
            at++;
            if (Skip(']')) return Json.ArrayOf(items);
            do items.Add(ReadValue(depth + 1));
            while (Skip(','));
            if (!Skip(']')) throw Fault("',' or ']'");
            return Json.ArrayOf(items);
        }

        private Json ReadNumber()
        {
            var start = at;
            while (at < source.Length && "+-.0123456789eE".IndexOf(source[at]) >= 0) at++;
            var digits = source.Substring(start, at - start);
            double value;
            if (!double.TryParse(digits, NumberStyles.Float, CultureInfo.InvariantCulture, out value)) throw Fault("a value");
            return Json.Number(digits);
        }

        private string ReadString()
        {
            var text = new StringBuilder();
            for (at++; ; at++)
            {
                if (at >= source.Length) throw Fault("the end of the string");
                var c = source[at];
                if (c == '"') { at++; return text.ToString(); }
                text.Append(c == '\\' ? ReadEscape() : c);
            }
        }

        private char ReadEscape()
        {
            if (++at >= source.Length) throw Fault("an escape");
            switch (source[at])
            {
                case 'n': return '\n';
                case 't': return '\t';
                case 'r': return '\r';
                case 'b': return '\b';
                case 'f': return '\f';
                case 'u':
                    int code;
                    if (at + 4 >= source.Length || !int.TryParse(source.Substring(at + 1, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out code))
                        throw Fault("four hexadecimal digits");
                    at += 4;
                    return (char)code;
                default: return source[at];
            }
        }

        private void Expect(string word)
        {
            if (string.CompareOrdinal(source, at, word, 0, word.Length) != 0) throw Fault("a value");
            at += word.Length;
        }

        private bool Skip(char wanted)
        {
            SkipSpace();
            if (at >= source.Length || source[at] != wanted) return false;
            at++;
            return true;
        }

        private void SkipSpace()
        {
            while (at < source.Length && " \t\r\n".IndexOf(source[at]) >= 0) at++;
        }

        private FormatException Fault(string wanted)
        {
            return new FormatException("Invalid JSON: expected " + wanted + " at character " + at + ".");
        }
    }
}
