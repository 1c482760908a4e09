using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Cairn
{
    /// <summary>The kinds of JSON values.</summary>
    public enum JsonKind
    {
        /// <summary>null</summary>
        Null,
        /// <summary>true or false</summary>
        Boolean,
        /// <summary>A number</summary>
        Number,
        /// <summary>A string</summary>
        String,
        /// <summary>An array</summary>
        Array,
        /// <summary>An object</summary>
        Object,
    }

    /// <summary>A JSON value. It is read and written without reflection, so that ahead-of-time compilers strip nothing it needs.</summary>
    public sealed class Json
    {
        private readonly string text;
        private readonly List<Json> items;
        private readonly List<KeyValuePair<string, Json>> members;

        private Json(JsonKind kind, string text = null, List<Json> items = null, List<KeyValuePair<string, Json>> members = null)
        {
            Kind = kind;
            this.text = text;
            this.items = items;
            this.members = members;
        }

        /// <summary>JSON's null.</summary>
        public static readonly Json Null = new Json(JsonKind.Null);

        /// <summary>The kind of this value.</summary>
        public JsonKind Kind { get; private set; }

        /// <summary>Whether this is JSON's null.</summary>
        public bool IsNull { get { return Kind == JsonKind.Null; } }

        /// <summary>The members of an object in order; empty for other kinds.</summary>
        public IReadOnlyList<KeyValuePair<string, Json>> Members { get { return members ?? NoMembers; } }

        /// <summary>The items of an array; empty for other kinds.</summary>
        public IReadOnlyList<Json> Items { get { return items ?? NoItems; } }

        private static readonly List<Json> NoItems = new List<Json>();
        private static readonly List<KeyValuePair<string, Json>> NoMembers = new List<KeyValuePair<string, Json>>();

        /// <summary>The member with this name, or null if there is none.</summary>
        [MaybeNull] public Json this[string name]
        {
            get
            {
                foreach (var pair in Members) if (pair.Key == name) return pair.Value;
                return null;
            }
        }

        /// <summary>A string.</summary>
        public static Json Of(string value) { return value == null ? Null : new Json(JsonKind.String, value); }

        /// <summary>A boolean.</summary>
        public static Json Of(bool value) { return new Json(JsonKind.Boolean, value ? "true" : "false"); }

        /// <summary>An integer.</summary>
        public static Json Of(long value) { return Number(value.ToString(CultureInfo.InvariantCulture)); }

        /// <summary>A number. Throws for infinities and NaN, which JSON cannot express.</summary>
        public static Json Of(double value)
        {
            if (double.IsNaN(value) || double.IsInfinity(value)) throw new ArgumentException("JSON has no infinity and no NaN. Send a finite number.");
            return Number(value.ToString("R", CultureInfo.InvariantCulture));
        }

        /// <summary>A time, in UTC.</summary>
        public static Json Of(DateTimeOffset value) { return Of(TimeText(value)); }

        /// <summary>A new object without members.</summary>
        public static Json NewObject() { return new Json(JsonKind.Object, null, null, new List<KeyValuePair<string, Json>>()); }

        /// <summary>A new array with these items.</summary>
        public static Json ArrayOf(IEnumerable<Json> values) { return new Json(JsonKind.Array, null, new List<Json>(values)); }

        internal static Json Number(string digits) { return new Json(JsonKind.Number, digits); }

        /// <summary>A list, with a function that writes one item.</summary>
        public static Json ListOf<T>(IEnumerable<T> values, Func<T, Json> write)
        {
            var list = new List<Json>();
            foreach (var value in values) list.Add(write(value));
            return new Json(JsonKind.Array, null, list);
        }

        /// <summary>A map by name, with a function that writes one value.</summary>
        public static Json MapOf<T>(IEnumerable<KeyValuePair<string, T>> values, Func<T, Json> write)
        {
            var json = NewObject();
            foreach (var pair in values) json.Set(pair.Key, write(pair.Value));
            return json;
        }

        /// <summary>Sets a member of an object, in place of one with the same name. Returns the object.</summary>
        public Json Set(string name, Json value)
        {
            if (Kind != JsonKind.Object) throw Unexpected("an object");
            var pair = new KeyValuePair<string, Json>(name, value ?? Null);
            var at = members.FindIndex(member => member.Key == name);
            if (at >= 0) members[at] = pair;
            else members.Add(pair);
            return this;
        }

        /// <summary>The text of a string; of a number or boolean, as JSON writes it.</summary>
        public string AsString()
        {
            if (text == null) throw Unexpected("a string");
            return text;
        }

        /// <summary>The value of a boolean.</summary>
        public bool AsBool()
        {
            if (Kind != JsonKind.Boolean) throw Unexpected("a boolean");
            return text == "true";
        }

        /// <summary>The value of an integer.</summary>
        public long AsLong()
        {
            long whole;
            if (Kind != JsonKind.Number) throw Unexpected("an integer");
            return long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out whole) ? whole : (long)AsDouble();
        }

        /// <summary>The value of a number.</summary>
        public double AsDouble()
        {
            if (Kind != JsonKind.Number) throw Unexpected("a number");
            return double.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture);
        }

        /// <summary>The time that a string names, in ISO 8601.</summary>
        public DateTimeOffset AsTime()
        {
            return DateTimeOffset.Parse(AsString(), CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal);
        }

        /// <summary>The items of an array, each read by a function.</summary>
        public List<T> AsList<T>(Func<Json, T> read)
        {
            if (Kind != JsonKind.Array) throw Unexpected("an array");
            var list = new List<T>(items.Count);
            foreach (var item in items) list.Add(read(item));
            return list;
        }

        /// <summary>The members of an object by name, each read by a function.</summary>
        public Dictionary<string, T> AsMap<T>(Func<Json, T> read)
        {
            if (Kind != JsonKind.Object) throw Unexpected("an object");
            var map = new Dictionary<string, T>();
            foreach (var pair in members) map[pair.Key] = read(pair.Value);
            return map;
        }

        /// <summary>Reads JSON (RFC 8259). Throws FormatException with the position of the first fault.</summary>
        public static Json Parse(string source) { return new JsonReader(source).Read(); }

        /// <summary>This value as JSON text.</summary>
        public override string ToString() { return JsonWriter.Write(this); }

        internal static string TimeText(DateTimeOffset value)
        {
            return value.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.FFFFFFF'Z'", CultureInfo.InvariantCulture);
        }

        private FormatException Unexpected(string wanted)
        {
            return new FormatException("Expected " + wanted + " and found JSON of kind " + Kind + ".");
        }
    }
}
