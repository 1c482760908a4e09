import type { Feature } from 'geojson'
import type { Map as MapLibre } from 'maplibre-gl'
import { useMemo } from 'react'
import { type Place, placeFrom } from '../../../map/geodesic.ts'
import { useHandles } from '../../../map/use-handles.ts'
import { useSource } from '../../../map/use-source.ts'
import { messages } from '../../../messages/index.ts'
import { turnedBack } from '../editor/coordinates.ts'
import type { TaskState } from '../editor/use-editor.ts'
import { collectionOf } from '../layers/spots.ts'
import type { Chosen } from '../selection/use-selection.ts'
import type { useWrites } from '../use-map-mutations.ts'
import type { View } from '../use-viewport.ts'
import classes from './handles.module.css'
import { useBoundaryHandles } from './use-boundary-handles.ts'

const texts = messages.map.handles
const turned = ({ lat, lon }: Place) => turnedBack({ lat, lng: lon })

/** What can be taken hold of on the map: the chosen thing, the place of a form, the corners of a zone. */
export function useMapHandles(
  map: MapLibre | null,
  chosen: Chosen,
  state: TaskState,
  writes: ReturnType<typeof useWrites>,
  view: View | null,
) {
  const { task, place, yaw } = state
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

  useBoundaryHandles(map, task?.kind === 'zone' ? state.boundary : null, view)

  const at = task ? place : chosen.place
  const direction = task ? yaw : chosen.yaw
  const heading = useMemo(() => collectionOf(at && direction !== null ? [arrow(at, direction)] : []), [at, direction])
  useSource(map, 'heading', heading)
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
