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
                .Set("quaternion", Json.ListOf(q, number => Json.Of(Math.Round(number, 8))))
                .Set("angles", Json.ListOf(GeoPoses.FromUnity(q[0], q[1], q[2], q[3]), number => Json.Of(Math.Round(number, 6))))
                .Set("north", Json.ListOf(GeoPoses.OffsetInUnity(52, 13, 40, 52.001, 13, 41), number => Json.Of(Math.Round(number, 2))));
        }
    }
}
