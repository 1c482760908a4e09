using System;
using System.Threading;
using System.Threading.Tasks;
using Cairn;
using Cairn.Unity;
using UnityEngine;

/// <summary>Places an object, and the model of the pin if glTFast is installed, where the nearest pin with a pose is. The scene's origin is where the device starts; x is east and z is north, as in an AR session aligned to gravity and heading.</summary>
public sealed class PlacedModel : MonoBehaviour
{
    [SerializeField] private string baseUrl = "http://127.0.0.1:8080";
    [SerializeField] private Transform model = null;
    private CancellationTokenSource stop;

    /// <summary>The URL of the pin's model, for another loader of GLB files.</summary>
    public string ModelUrl { get; private set; }

    private async void OnEnable()
    {
        stop = new CancellationTokenSource();
        try { await PlaceAsync(stop.Token); }
        catch (OperationCanceledException) { }
        catch (CairnException error) { Debug.LogError(error.Message); }
    }

    private void OnDisable() { stop.Cancel(); }

    private async Task PlaceAsync(CancellationToken token)
    {
        var transport = new UnityTransport();
        Input.location.Start();
        while (Input.location.status == LocationServiceStatus.Initializing || Input.location.status == LocationServiceStatus.Stopped)
            await transport.WaitAsync(TimeSpan.FromSeconds(0.5), token);
        if (Input.location.status == LocationServiceStatus.Failed)
        {
            Debug.LogError("The device does not give its position. Allow the app to read the location.");
            return;
        }
        var here = Input.location.lastData;
        var cairn = new CairnClient(new CairnOptions { BaseUrl = baseUrl, Transport = transport });
        var pins = cairn.Pins.ListPins(here.latitude, here.longitude, radius: 500).GetAsyncEnumerator(token);
        while (await pins.MoveNextAsync())
        {
            var pose = pins.Current.GeoPose;
            if (pose == null) continue;
            // Devices disagree about what height is measured from. The model starts at the height of the device.
            model.localPosition = UnityPoses.Offset(here.latitude, here.longitude, 0, pose.Position.Lat.Value, pose.Position.Lon.Value, 0);
            model.localRotation = UnityPoses.Rotation(pose.Angles.Yaw.Value, pose.Angles.Pitch.Value, pose.Angles.Roll.Value);
            ModelUrl = pins.Current.ContentUrl;
            await LoadAsync(token);
            return;
        }
    }

#if CAIRN_GLTFAST
    /// <summary>glTFast turns the front of a model from south, where it faces in the pose of the pin, to north.</summary>
    private async Task LoadAsync(CancellationToken token)
    {
        if (string.IsNullOrEmpty(ModelUrl)) return;
        var front = new GameObject("Model").transform;
        front.SetParent(model, false);
        front.localRotation = new Quaternion(0, 1, 0, 0);
        var gltf = new GLTFast.GltfImport();
        if (await gltf.Load(ModelUrl, null, token)) await gltf.InstantiateMainSceneAsync(front, token);
        else Debug.LogError("The model at " + ModelUrl + " is not a GLB that glTFast reads.");
    }
#else
    private Task LoadAsync(CancellationToken token) { return Task.CompletedTask; }
#endif
}
