import type { Zone } from '@cairn/sdk'
import type { Place } from '../../../map/geodesic.ts'
import { messages } from '../../../messages/index.ts'
import { formatPlace, parsePlace } from './coordinates.ts'

/**
 * A zone's boundary as text: one corner per line, without repeating the first. A line `hole` starts a hole in the area
 * above, a line `area` starts another area. Lines are counted from 0; empty lines are ignored.
 */

type Boundary = NonNullable<Zone['boundary']>
export type Corner = Place & { line: number }
/** The outer ring of an area, or one of its holes. */
export type Ring = {
  /** The index of its area. */
  area: number
  /** 0 for the outer ring, then the holes. */
  hole: number
  corners: Corner[]
  /** Its first line, and the line after its last corner. */
  from: number
  end: number
}
/** What a keyword line starts. */
export type Part = 'hole' | 'area'

const KEYWORDS = messages.map.form.parts
const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))

/** Parses the text. There is always at least one ring, which may be empty. @returns also the first invalid line */
export function parseRings(text: string): { rings: Ring[]; wrongLine: number | null } {
  const rings: Ring[] = [{ area: 0, hole: 0, corners: [], from: 0, end: 0 }]
  let wrongLine: number | null = null
  for (const [line, written] of linesOf(text).entries()) {
    const what = written.trim().toLowerCase()
    if (what === '') continue
    const ring = rings.at(-1)!
    const place = parsePlace(what)
    const next = { corners: [], from: line, end: line + 1 }
    if (what === KEYWORDS.hole) rings.push({ ...next, area: ring.area, hole: ring.hole + 1 })
    else if (what === KEYWORDS.area && ring.end > 0) rings.push({ ...next, area: ring.area + 1, hole: 0 })
    else {
      ring.end = line + 1
      if (place) ring.corners.push({ ...place, line })
      else if (what !== KEYWORDS.area) wrongLine ??= line
    }
  }
  return { rings, wrongLine }
}

/** Formats a boundary as text. */
export function formatBoundary(boundary: Boundary | null | undefined): string {
  if (!boundary) return ''
  const areas = boundary.type === 'Polygon' ? [boundary.coordinates] : boundary.coordinates
  const lines = areas.flatMap((rings, area) =>
    rings.flatMap((ring, hole) => [
      ...(hole > 0 ? [KEYWORDS.hole] : area > 0 ? [KEYWORDS.area] : []),
      ...ring.slice(0, -1).map(([lon, lat]) => formatPlace({ lat: lat!, lon: lon! })),
    ]),
  )
  return lines.join('\n')
}

/** The label of a ring; null if it is the only one. */
export const ringLabel = (rings: Ring[], { area, hole }: Ring): string | null =>
  rings.length === 1 ? null : messages.map.form.ring(area + 1, hole)

/** The rings with corners, grouped by area. */
function areasOf(rings: Ring[]): Ring[][] {
  const areas: Ring[][] = []
  for (const ring of rings.filter(({ corners }) => corners.length > 0))
    if (areas.at(-1)?.[0]?.area === ring.area) areas.at(-1)!.push(ring)
    else areas.push([ring])
  return areas
}

/** The first line of a ring with too few corners. Empty rings are allowed, except around a hole. */
export function firstShortRing(rings: Ring[]): number | null {
  const isShort = ({ area, hole, corners }: Ring) =>
    corners.length > 0
      ? corners.length < 3
      : hole === 0 && rings.some((other) => other.area === area && other.corners.length > 0)
  return rings.find(isShort)?.from ?? null
}

/** A Polygon for one area, a MultiPolygon for several, null for none. Every ring must have at least three corners. */
export function boundaryOf(rings: Ring[]): Boundary | null {
  const closed = ({ corners }: Ring) => [...corners, corners[0]!].map(({ lat, lon }) => [lon, lat])
  const areas = areasOf(rings).map((area) => area.map(closed))
  if (areas.length === 0) return null
  return areas.length === 1 ? { type: 'Polygon', coordinates: areas[0]! } : { type: 'MultiPolygon', coordinates: areas }
}

/** The line of a corner, given its path in the boundary's coordinates. */
export function lineAt(rings: Ring[], path: (string | number)[]): number | null {
  const areas = areasOf(rings)
  const [area = 0, ring = 0, corner = 0] = [...(areas.length === 1 ? [0] : []), ...path].map(Number)
  const corners = areas[area]?.[ring]?.corners ?? []
  return corners[corner % corners.length]?.line ?? null
}

/** Moves a corner. */
export const moveCorner = (text: string, { line }: Corner, to: Place): string =>
  linesOf(text).with(line, formatPlace(to)).join('\n')

/** Adds a corner to a ring. */
export const addCorner = (text: string, { end }: Ring, at: Place): string =>
  linesOf(text).toSpliced(end, 0, formatPlace(at)).join('\n')

/** Adds a hole to the ring's area, or another area. @returns also the index of the new ring */
export function addPart(text: string, rings: Ring[], { area }: Ring, part: Part): { text: string; ring: number } {
  const before = part === 'hole' ? rings.findLastIndex((ring) => ring.area === area) : rings.length - 1
  return { text: linesOf(text).toSpliced(rings[before]!.end, 0, KEYWORDS[part]).join('\n'), ring: before + 1 }
}

/** Removes the last corner of a ring, or the keyword of an empty ring. */
export const removeLastCorner = (text: string, { corners, from }: Ring): string =>
  linesOf(text)
    .toSpliced(corners.at(-1)?.line ?? from, 1)
    .join('\n')
