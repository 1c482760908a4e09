import type { Feature } from 'geojson'
import type { Map as MapLibre } from 'maplibre-gl'
import { useMemo } from 'react'
import { useHandles } from '../../../map/use-handles.ts'
import { useSource } from '../../../map/use-source.ts'
import { messages } from '../../../messages/index.ts'
import { boundaryOf, type Ring, ringLabel } from '../editor/boundary-text.ts'
import { wrapPlace } from '../editor/coordinates.ts'
import type { BoundaryState } from '../editor/use-boundary.ts'
import { featureCollection } from '../layers/spots.ts'
import { isInBox, type Viewport } from '../use-viewport.ts'
import classes from './handles.module.css'

/** With more corners in view, handles would overlap and slow down the map. */
const MAX_HANDLES = 300
const NONE: Ring[] = []

/** Handles on the corners of the edited boundary, and its rings. @param boundary null if none is edited */
export function useBoundaryHandles(map: MapLibre | null, boundary: BoundaryState | null, view: Viewport | null) {
  const rings = boundary?.rings ?? NONE
  const held = useMemo(() => {
    const corners = rings.flatMap((ring) => ring.corners.map((corner, i) => ({ ...corner, ring, i })))
    if (corners.length <= MAX_HANDLES) return corners
    const seen = corners.filter((corner) => view && isInBox(corner, view.box))
    return seen.length <= MAX_HANDLES ? seen : []
  }, [rings, view])
  useHandles(map, held, {
    className: classes.cornerHandle!,
    labelOf: (at) => messages.map.handles.corner(held[at]!.i + 1, ringLabel(rings, held[at]!.ring)),
    onTouched: (at) => boundary?.touch(held[at]!.ring),
    onMoved: (at, { lat, lon }) => boundary?.move(held[at]!.ring, held[at]!, wrapPlace({ lat, lng: lon })),
    keysSettle: true,
  })

  const active = boundary?.active
  const draft = useMemo(
    () =>
      featureCollection([...areasOf(rings), ...rings.filter(({ corners }) => corners.length > 1).map(lineOf(active))]),
    [rings, active],
  )
  useSource(map, 'draft', draft)
}

/** The areas of the complete rings. */
function areasOf(rings: Ring[]): Feature[] {
  const geometry = boundaryOf(rings.filter(({ corners }) => corners.length > 2))
  return geometry ? [{ type: 'Feature', geometry, properties: { part: 'areas' } }] : []
}

const lineOf =
  (active: Ring | undefined) =>
  (ring: Ring): Feature => {
    const { corners } = ring
    const drawn = corners.length > 2 ? [...corners, corners[0]!] : corners
    return {
      type: 'Feature',
      geometry: { type: 'LineString', coordinates: drawn.map(({ lat, lon }) => [lon, lat]) },
      properties: { part: 'ring', isActive: ring === active },
    }
  }
