using System;

namespace Cairn
{
    /// <summary>Converts between GeoPoses and Unity's left-handed frame: x east, y up, z north, in metres.</summary>
    public static class GeoPoses
    {
        private const double SemiMajor = 6378137;
        private const double Eccentricity2 = 6.69437999014e-3;

        /// <summary>The rotation of a GeoPose (OGC Basic-YPR: degrees about the rotated axes z, y, x) as x, y, z, w in Unity's frame, with w ≥ 0.</summary>
        public static double[] ToUnity(double yaw, double pitch, double roll)
        {
            double cy = Cos(yaw), sy = Sin(yaw), cp = Cos(pitch), sp = Sin(pitch), cr = Cos(roll), sr = Sin(roll);
            var w = cy * cp * cr + sy * sp * sr;
            var sign = w < 0 ? -1 : 1;
            var x = sign * (cy * cp * sr - sy * sp * cr);
            var y = sign * (cy * sp * cr + sy * cp * sr);
            var z = sign * (sy * cp * cr - cy * sp * sr);
            return new[] { -x, -z, -y, Math.Abs(w) };
        }

        /// <summary>Yaw, pitch and roll in degrees of a rotation in Unity's frame.</summary>
        public static double[] FromUnity(double x, double y, double z, double w)
        {
            double ex = -x, ey = -z, ez = -y;
            var yaw = Math.Atan2(2 * (w * ez + ex * ey), 1 - 2 * (ey * ey + ez * ez));
            var pitch = Math.Asin(Math.Max(-1, Math.Min(1, 2 * (w * ey - ez * ex))));
            var roll = Math.Atan2(2 * (w * ex + ey * ez), 1 - 2 * (ex * ex + ey * ey));
            return new[] { Degrees(yaw), Degrees(pitch), Degrees(roll) };
        }

        /// <summary>Where a position is as seen from an origin: metres east, up, north. Exact for the WGS84 ellipsoid; the axes are those of the origin.</summary>
        public static double[] OffsetInUnity(double originLat, double originLon, double originHeight, double lat, double lon, double height)
        {
            var from = EarthCentred(originLat, originLon, originHeight);
            var to = EarthCentred(lat, lon, height);
            double dx = to[0] - from[0], dy = to[1] - from[1], dz = to[2] - from[2];
            double cosLat = Math.Cos(Radians(originLat)), sinLat = Math.Sin(Radians(originLat)), cosLon = Math.Cos(Radians(originLon)), sinLon = Math.Sin(Radians(originLon));
            var east = -sinLon * dx + cosLon * dy;
            var north = -sinLat * cosLon * dx - sinLat * sinLon * dy + cosLat * dz;
            var up = cosLat * cosLon * dx + cosLat * sinLon * dy + sinLat * dz;
            return new[] { east, up, north };
        }

        private static double[] EarthCentred(double lat, double lon, double height)
        {
            double sin = Math.Sin(Radians(lat)), cos = Math.Cos(Radians(lat));
            var normal = SemiMajor / Math.Sqrt(1 - Eccentricity2 * sin * sin);
            return new[] { (normal + height) * cos * Math.Cos(Radians(lon)), (normal + height) * cos * Math.Sin(Radians(lon)), (normal * (1 - Eccentricity2) + height) * sin };
        }

        private static double Cos(double degrees) { return Math.Cos(Radians(degrees % 720) / 2); }
        private static double Sin(double degrees) { return Math.Sin(Radians(degrees % 720) / 2); }
        private static double Radians(double degrees) { return degrees * Math.PI / 180; }
        private static double Degrees(double radians) { return radians * 180 / Math.PI; }
    }
}
