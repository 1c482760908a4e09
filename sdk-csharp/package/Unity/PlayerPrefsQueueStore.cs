using UnityEngine;

namespace Cairn.Unity
{
    /// <summary>Keeps a queue in PlayerPrefs, on all platforms including WebGL.</summary>
    public sealed class PlayerPrefsQueueStore : IQueueStore
    {
        private readonly string key;

        /// <summary>Uses this key.</summary>
        public PlayerPrefsQueueStore(string key = "cairn.scores") { this.key = key; }

        /// <inheritdoc/>
        public string Load() { return PlayerPrefs.GetString(key, null); }

        /// <inheritdoc/>
        public void Save(string text)
        {
            PlayerPrefs.SetString(key, text);
            PlayerPrefs.Save();
        }
    }
}
