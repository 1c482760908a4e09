using System;

namespace UnityEngine.Networking
{
    public class UnityWebRequestAsyncOperation { public bool isDone { get { throw new NotSupportedException(); } } }
    public class DownloadHandler { public string text { get { throw new NotSupportedException(); } } }
    public class DownloadHandlerScript : DownloadHandler { protected virtual bool ReceiveData(byte[] data, int dataLength) { return true; } }
    public class UploadHandler { public string contentType { get; set; } }
    public class UploadHandlerRaw : UploadHandler { public UploadHandlerRaw(byte[] data) { } }
    public class UnityWebRequest : IDisposable
    {
        public enum Result { InProgress, Success, ConnectionError, ProtocolError, DataProcessingError }
        public UnityWebRequest(string url, string method) { }
        public static UnityWebRequest Post(string uri, string postData, string contentType) { throw new NotSupportedException(); }
        public DownloadHandler downloadHandler { get; set; }
        public UploadHandler uploadHandler { get; set; }
        public bool disposeDownloadHandlerOnDispose { get; set; }
        public bool disposeUploadHandlerOnDispose { get; set; }
        public Result result { get { throw new NotSupportedException(); } }
        public bool isDone { get { throw new NotSupportedException(); } }
        public string error { get { throw new NotSupportedException(); } }
        public long responseCode { get { throw new NotSupportedException(); } }
        public void SetRequestHeader(string name, string value) { throw new NotSupportedException(); }
        public string GetResponseHeader(string name) { throw new NotSupportedException(); }
        public UnityWebRequestAsyncOperation SendWebRequest() { throw new NotSupportedException(); }
        public void Abort() { throw new NotSupportedException(); }
        public void Dispose() { throw new NotSupportedException(); }
    }
}
