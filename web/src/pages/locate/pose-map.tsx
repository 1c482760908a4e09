import type { Gcp } from '@cairn/sdk'
import type { FeatureCollection } from 'geojson'
import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useMemo, useState } from 'react'
import { boundsOf } from '../../map/bounds.ts'
import { MapCanvas } from '../../map/map-canvas.tsx'
import { useSource } from '../../map/use-source.ts'
import { messages } from '../../messages/index.ts'
import classes from './locate.module.css'
import { poseOverlay } from './pose-overlay.ts'
import { featuresOf, type Pose, positionOf } from './pose-shapes.ts'

type Props = { poses: Pose[]; chosen: number; gcps: Gcp[]; focalLength35: number }

/** Poses of a camera on a map, the chosen one above the others, and the points whose tags it saw. */
export function PoseMap({ poses, chosen, gcps, focalLength35 }: Props) {
  const [map, setMap] = useState<MapLibre | null>(null)
  const places = useMemo(() => poses.map(({ geoPose }) => positionOf(geoPose.position)), [poses])
  const shapes = useMemo((): FeatureCollection => {
    const drawn = poses.map((pose, at) => ({ pose, isBest: at === chosen })).sort((a) => (a.isBest ? 1 : -1))
    return {
      type: 'FeatureCollection',
      features: drawn.flatMap(({ pose, isBest }) => featuresOf(pose, focalLength35, isBest)),
    }
  }, [poses, chosen, focalLength35])
  const tags = useMemo((): FeatureCollection => {
    const placed = gcps.flatMap(({ aprilTagId, pin }) =>
      pin?.geoPose ? [{ aprilTagId, at: pin.geoPose.position }] : [],
    )
    const features = placed.map(({ aprilTagId, at }) => ({
      type: 'Feature' as const,
      properties: { tag: String(aprilTagId) },
      geometry: { type: 'Point' as const, coordinates: positionOf(at) },
    }))
    return { type: 'FeatureCollection', features }
  }, [gcps])
  useSource(map, 'poses', shapes)
  useSource(map, 'tags', tags)
  useEffect(() => {
    const seen = tags.features.map(({ geometry }) => (geometry as GeoJSON.Point).coordinates as [number, number])
    const bounds = boundsOf([...places, ...seen])
    if (map && bounds) map.fitBounds(bounds, { padding: 64, maxZoom: 21, animate: false })
  }, [map, places, tags])
  return (
    <div className={classes.map}>
      <MapCanvas
        overlay={poseOverlay}
        start={{ center: places[0]!, zoom: 19 }}
        label={messages.locate.result.map}
        onMap={setMap}
      />
    </div>
  )
}
