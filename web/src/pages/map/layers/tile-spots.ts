import type { Place } from '../../../map/geodesic.ts'
import type { Spot, TiledCollection } from './spot.ts'

/** A feature of a tile, with its place. */
export type TileFeature = Place & { id?: string | number | undefined; properties: Record<string, unknown> }

/** What tiles divide themselves into: 8 × 8 cells, each a cluster or a place. */
const CELL_LEVELS = 3
/** Places in tiles are rounded down to corners of cells, too: this far beyond, a place is within its cell again. It is a millimetre. */
const NUDGE = 2 ** -35
/** A cluster of a tile may fall apart this many levels further in. */
export const LEVELS_TO_OPEN = 2
const KINDS = { pins: 'pin', gcps: 'gcp' } as const

/**
 * The places in tiles; one of a cluster stands for `count` of them. A pin of a control point is drawn as the control point.
 * While tiles load, those of another level may stand in for them: a cluster is left out where a deeper tile shows its cell.
 */
export function spotsOfTiles(collection: TiledCollection, features: TileFeature[]): Spot[] {
  const shown = cellsOfDeeper(features)
  const spots = features.flatMap((feature): Spot[] => {
    const { id, lat, lon, properties } = feature
    const { title, aprilTagId, contentType, gcpId, point_count: count } = properties
    const rest = { kind: KINDS[collection], lat, lon, content: null, tag: null }
    const zoom = zoomOf(feature)
    if (zoom !== null) {
      const cell = cellOf(feature, zoom)
      return shown.has(cell) ? [] : [{ ...rest, id: cell, title: '', count: Number(count), zoom }]
    }
    if (collection === 'pins' && typeof gcpId === 'number') return []
    return [
      {
        ...rest,
        id: String(id),
        title: String(title),
        content: typeof contentType === 'string' ? contentType : null,
        tag: typeof aprilTagId === 'number' ? aprilTagId : null,
      },
    ]
  })
  // The world may be seen more than once.
  return [...new Map(spots.map((spot) => [spot.id, spot])).values()]
}

/** The zoom level of the tile of a cluster; null for a place. */
const zoomOf = ({ properties }: TileFeature): number | null =>
  typeof properties.point_count === 'number' ? Number(properties.expansion_zoom) - LEVELS_TO_OPEN : null

/** The cells, at the levels of all clusters, in which a deeper tile has a place or a cluster. */
function cellsOfDeeper(features: TileFeature[]): Set<string> {
  const zooms = new Set(features.map(zoomOf))
  return new Set(
    [...zooms].flatMap((zoom) =>
      zoom === null
        ? []
        : features.flatMap((feature) =>
            (zoomOf(feature) ?? Number.POSITIVE_INFINITY) > zoom ? [cellOf(feature, zoom)] : [],
          ),
    ),
  )
}

/** Pins of tiles without those of control points, which clusters count too: both divide tiles into the same cells. */
export function withoutGcps(pins: Spot[], gcps: Spot[]): Spot[] {
  const counts = new Map<number, Map<string, number>>()
  const countsAt = (zoom: number) => {
    const known = counts.get(zoom)
    if (known) return known
    const made = new Map<string, number>()
    for (const gcp of gcps) {
      const cell = cellOf(gcp, zoom)
      made.set(cell, (made.get(cell) ?? 0) + (gcp.count ?? 1))
    }
    counts.set(zoom, made)
    return made
  }
  return pins.flatMap((pin) => {
    if (pin.zoom === undefined) return [pin]
    const count = pin.count! - (countsAt(pin.zoom).get(pin.id) ?? 0)
    return count > 0 ? [{ ...pin, count }] : []
  })
}

/** Web Mercator, from 0 to 1. */
const squareOf = ({ lat, lon }: Place) => ({
  x: (lon + 180) / 360,
  y: (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2,
})

const cellOf = (place: Place, zoom: number): string => {
  const { x, y } = squareOf(place)
  const cells = 2 ** (zoom + CELL_LEVELS)
  return `cell ${zoom} ${Math.floor((x + NUDGE) * cells)} ${Math.floor((y + NUDGE) * cells)}`
}
