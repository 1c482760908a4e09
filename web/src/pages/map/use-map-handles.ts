import type { Feature } from 'geojson'
import type { Map as MapLibre } from 'maplibre-gl'
import { useMemo } from 'react'
import { type Place, placeFrom } from '../../map/geodesic.ts'
import { useHandles } from '../../map/use-handles.ts'
import { useSource } from '../../map/use-source.ts'
import { words } from '../../words/index.ts'
import classes from './handles.module.css'
import { turnedBack } from './place-text.ts'
import { collectionOf } from './spots.ts'
import type { Chosen } from './use-chosen.ts'
import type { TaskState } from './use-task.ts'
import type { useWrites } from './use-writes.ts'

const texts = words.map.handles
const turned = ({ lat, lon }: Place) => turnedBack({ lat, lng: lon })

/** What can be taken hold of on the map: the chosen thing, the place of a form, the corners of a zone. */
export function useMapHandles(
  map: MapLibre | null,
  chosen: Chosen,
  state: TaskState,
  writes: ReturnType<typeof useWrites>,
) {
  const { task, place, yaw, ring } = state
  const { pin, gcp } = chosen
  const isMovable = pin !== undefined || gcp !== undefined
  const isIdle = task === null

  const atChosen = useMemo(
    () => (isIdle && isMovable && chosen.place ? [chosen.place] : []),
    [isIdle, isMovable, chosen.place],
  )
  useHandles(map, atChosen, {
    className: `${classes.handle} ${pin ? classes.pinHandle : classes.tagHandle}`,
    labelOf: () => texts.move((pin ?? gcp)?.title ?? ''),
    onMoved: (_, to) => (pin ? writes.movePin(pin, turned(to)) : gcp && writes.moveGcp(gcp, turned(to))),
  })

  const atPlace = useMemo(() => (task && task.kind !== 'zone' && place ? [place] : []), [task, place])
  useHandles(map, atPlace, {
    className: classes.placeHandle!,
    labelOf: () => texts.place,
    onMoved: (_, to) => state.setPlace(turned(to)),
    keysSettle: true,
  })

  useHandles(map, ring, {
    className: classes.cornerHandle!,
    labelOf: (i) => texts.corner(i + 1),
    onMoved: (i, to) => state.moveCorner(i, turned(to)),
    keysSettle: true,
  })

  const draft = useMemo(() => collectionOf(ring.length > 1 ? [area(ring)] : []), [ring])
  useSource(map, 'draft', draft)

  const at = task ? place : chosen.place
  const direction = task ? yaw : chosen.yaw
  const heading = useMemo(() => collectionOf(at && direction !== null ? [arrow(at, direction)] : []), [at, direction])
  useSource(map, 'heading', heading)
}

const area = (ring: Place[]): Feature => {
  const closed = [...ring, ring[0]!].map(({ lat, lon }) => [lon, lat])
  const geometry = ring.length > 2 ? { type: 'Polygon' as const, coordinates: [closed] } : null
  return { type: 'Feature', geometry: geometry ?? { type: 'LineString', coordinates: closed }, properties: {} }
}

const arrow = ({ lat, lon }: Place, yaw: number): Feature => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [lon, lat] },
  properties: { yaw },
})

/** The edge of the search, to be drawn wider or narrower. */
export function useRadiusHandle(
  map: MapLibre | null,
  point: Place | null,
  radius: number,
  onMoving: (to: Place) => void,
  onMoved: (to: Place) => void,
) {
  const edge = useMemo(() => (point ? [placeFrom(point, 90, radius)] : []), [point, radius])
  useHandles(map, edge, {
    className: classes.radiusHandle!,
    labelOf: () => texts.radius,
    onMoving: (_, to) => onMoving(to),
    onMoved: (_, to) => onMoved(to),
    keysSettle: true,
  })
}
