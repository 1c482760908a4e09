using System;

namespace UnityEngine
{
    public class Object { }
    public class Component : Object { public T GetComponent<T>() { throw new NotSupportedException(); } }
    public class MonoBehaviour : Component { }
    public class Transform : Component
    {
        public Vector3 localPosition { get; set; }
        public Quaternion localRotation { get; set; }
        public void SetParent(Transform parent, bool worldPositionStays) { throw new NotSupportedException(); }
    }
    public sealed class GameObject : Object
    {
        public GameObject(string name) { }
        public Transform transform { get { throw new NotSupportedException(); } }
    }
    public class TextMesh : Component { public string text { get; set; } }
    public struct Vector3 { public Vector3(float x, float y, float z) { } }
    public struct Quaternion { public Quaternion(float x, float y, float z, float w) { } }
    public static class Time { public static double realtimeSinceStartupAsDouble { get { throw new NotSupportedException(); } } }
    public static class Application
    {
        public static event Action<string> deepLinkActivated { add { throw new NotSupportedException(); } remove { throw new NotSupportedException(); } }
        public static void OpenURL(string url) { throw new NotSupportedException(); }
    }
    public static class Debug
    {
        public static void Log(object message) { throw new NotSupportedException(); }
        public static void LogError(object message) { throw new NotSupportedException(); }
    }
    public static class PlayerPrefs
    {
        public static string GetString(string key, string defaultValue) { throw new NotSupportedException(); }
        public static void SetString(string key, string value) { throw new NotSupportedException(); }
        public static void Save() { throw new NotSupportedException(); }
    }
    public enum LocationServiceStatus { Stopped, Initializing, Running, Failed }
    public struct LocationInfo
    {
        public float latitude { get { throw new NotSupportedException(); } }
        public float longitude { get { throw new NotSupportedException(); } }
        public float horizontalAccuracy { get { throw new NotSupportedException(); } }
        public double timestamp { get { throw new NotSupportedException(); } }
    }
    public class LocationService
    {
        public LocationServiceStatus status { get { throw new NotSupportedException(); } }
        public LocationInfo lastData { get { throw new NotSupportedException(); } }
        public void Start() { throw new NotSupportedException(); }
    }
    public static class Input { public static LocationService location { get { throw new NotSupportedException(); } } }
    public sealed class SerializeField : Attribute { }
    public sealed class RequireComponent : Attribute { public RequireComponent(Type type) { } }
}
