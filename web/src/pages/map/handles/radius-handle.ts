import type { Map as MapLibre } from 'maplibre-gl'
import { useMemo } from 'react'
import { distanceOf, type Place, placeFrom } from '../../../map/geodesic.ts'
import { useHandles } from '../../../map/use-handles.ts'
import { messages } from '../../../messages/index.ts'
import { useStore } from '../../../shell/store.ts'
import { MAX_METRES } from '../url-state.ts'
import type { SearchRadius } from '../use-search-radius.ts'
import classes from './handles.module.css'

type Props = { map: MapLibre | null; point: Place | null; search: SearchRadius }

/** A handle that changes the search radius. A component of its own, so that dragging does not render the page. */
export function RadiusHandle({ map, point, search }: Props) {
  const radius = useStore(search)
  const edge = useMemo(() => (point ? [placeFrom(point, 90, radius)] : []), [point, radius])
  const metresTo = (to: Place) => Math.min(MAX_METRES, Math.round(distanceOf(point!, to)))
  useHandles(map, edge, {
    className: classes.radiusHandle!,
    labelOf: () => messages.map.handles.radius,
    onMoving: (_, to) => search.set(metresTo(to)),
    onMoved: (_, to) => search.settle(metresTo(to)),
    keysSettle: true,
  })
  return null
}
