using System;

namespace Cairn.Tests
{
    /// <summary>Cases of poses.</summary>
    internal static class Poses
    {
        /// <summary>Yaw, pitch and roll as Unity's rotation, and back.</summary>
        internal static Json Convert(Json angles)
        {
            var q = GeoPoses.ToUnity(angles.Items[0].AsDouble(), angles.Items[1].AsDouble(), angles.Items[2].AsDouble());
            return Json.NewObject()
                .Set("quaternion", Rounded(q, 8))
                .Set("angles", Rounded(GeoPoses.FromUnity(q[0], q[1], q[2], q[3]), 6));
        }

        /// <summary>The offset of the second of two places from the first.</summary>
        internal static Json Offset(Json places)
        {
            var p = places.AsList(number => number.AsDouble());
            return Rounded(GeoPoses.OffsetInUnity(p[0], p[1], p[2], p[3], p[4], p[5]), 3);
        }

        /// <summary>Without negative zeros.</summary>
        private static Json Rounded(double[] numbers, int digits) { return Json.ListOf(numbers, number => Json.Of(Math.Round(number, digits) + 0)); }
    }
}
