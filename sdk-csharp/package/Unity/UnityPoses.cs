using UnityEngine;

namespace Cairn.Unity
{
    /// <summary>GeoPoses as Unity's vectors and quaternions.</summary>
    public static class UnityPoses
    {
        /// <summary>The rotation of a GeoPose, in a scene whose x is east and z is north.</summary>
        public static Quaternion Rotation(double yaw, double pitch, double roll)
        {
            var q = GeoPoses.ToUnity(yaw, pitch, roll);
            return new Quaternion((float)q[0], (float)q[1], (float)q[2], (float)q[3]);
        }

        /// <summary>Where a position is in a scene whose origin has the given position.</summary>
        public static Vector3 Offset(double originLat, double originLon, double originHeight, double lat, double lon, double height)
        {
            var offset = GeoPoses.OffsetInUnity(originLat, originLon, originHeight, lat, lon, height);
            return new Vector3((float)offset[0], (float)offset[1], (float)offset[2]);
        }
    }
}
