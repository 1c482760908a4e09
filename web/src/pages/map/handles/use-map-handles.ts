import type { Feature } from 'geojson'
import type { Map as MapLibre } from 'maplibre-gl'
import { useMemo } from 'react'
import type { Place } from '../../../map/geodesic.ts'
import { useHandles } from '../../../map/use-handles.ts'
import { useSource } from '../../../map/use-source.ts'
import { messages } from '../../../messages/index.ts'
import { wrapPlace } from '../editor/coordinates.ts'
import type { EditorState } from '../editor/use-editor.ts'
import { featureCollection } from '../layers/spots.ts'
import type { Selected } from '../selection/use-selection.ts'
import type { useMapMutations } from '../use-map-mutations.ts'
import type { Viewport } from '../use-viewport.ts'
import classes from './handles.module.css'
import { useBoundaryHandles } from './use-boundary-handles.ts'

const texts = messages.map.handles
const turned = ({ lat, lon }: Place) => wrapPlace({ lat, lng: lon })

/** Handles for the selected item, the location in the form and the corners of a zone. */
export function useMapHandles(
  map: MapLibre | null,
  selected: Selected,
  state: EditorState,
  mutations: ReturnType<typeof useMapMutations>,
  view: Viewport | null,
) {
  const { task, place, yaw } = state
  const { pin, gcp } = selected
  const isMovable = pin !== undefined || gcp !== undefined
  const isIdle = task === null

  const atChosen = useMemo(
    () => (isIdle && isMovable && selected.place ? [selected.place] : []),
    [isIdle, isMovable, selected.place],
  )
  useHandles(map, atChosen, {
    className: `${classes.handle} ${pin ? classes.pinHandle : classes.tagHandle}`,
    labelOf: () => texts.move((pin ?? gcp)?.title ?? ''),
    onMoved: (_, to) => (pin ? mutations.movePin(pin, turned(to)) : gcp && mutations.moveGcp(gcp, turned(to))),
  })

  const atPlace = useMemo(() => (task && task.kind !== 'zone' && place ? [place] : []), [task, place])
  useHandles(map, atPlace, {
    className: classes.placeHandle!,
    labelOf: () => texts.place,
    onMoved: (_, to) => state.setPlace(turned(to)),
    keysSettle: true,
  })

  useBoundaryHandles(map, task?.kind === 'zone' ? state.boundary : null, view)

  const at = task ? place : selected.place
  const direction = task ? yaw : selected.yaw
  const heading = useMemo(
    () => featureCollection(at && direction !== null ? [arrow(at, direction)] : []),
    [at, direction],
  )
  useSource(map, 'heading', heading)
}

const arrow = ({ lat, lon }: Place, yaw: number): Feature => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [lon, lat] },
  properties: { yaw },
})
