using System.Collections.Generic;

namespace Cairn
{
    /// <summary>A record of the interface. Members that are null are not sent.</summary>
    public abstract class JsonModel
    {
        private readonly Dictionary<string, Json> extra = new Dictionary<string, Json>();

        /// <summary>Members without a property: those that a newer service sends, and those to send as given. <c>Extra["email"] = Json.Null</c> clears a value.</summary>
        public Dictionary<string, Json> Extra { get { return extra; } }

        /// <summary>This record as JSON.</summary>
        public abstract Json ToJson();

        /// <summary>Adds the members without a property.</summary>
        protected Json WithExtra(Json json)
        {
            foreach (var pair in extra) json.Set(pair.Key, pair.Value);
            return json;
        }
    }
}
