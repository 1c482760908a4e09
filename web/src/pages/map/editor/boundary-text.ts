import type { Zone } from '@cairn/sdk'
import type { Place } from '../../../map/geodesic.ts'
import { messages } from '../../../messages/index.ts'
import { formatPlace, parsePlace } from './coordinates.ts'

/**
 * The boundary of a zone as people write it: a corner a line, without the first one again at the end. A line `hole` begins
 * a hole in the area above it, a line `area` a further area. Lines are counted from 0; empty ones say nothing.
 */

type Boundary = NonNullable<Zone['boundary']>
export type Corner = Place & { line: number }
/** The outer ring of an area, or a hole in it. */
export type Ring = {
  /** Which area it is of, counted from 0. */
  area: number
  /** 0 for the outer ring of the area, then its holes. */
  hole: number
  corners: Corner[]
  /** Its first line, and the one after its last, where a further corner goes. */
  from: number
  end: number
}
/** What a line begins. */
export type Part = 'hole' | 'area'

const KEYWORDS = messages.map.form.parts
const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))

/** Reads such a text: one ring at least, which may be empty. @returns the first line too that is neither a place nor a word */
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

/** Writes a boundary as such a text. */
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

/** What a ring is called among others; null for the only one. */
export const ringLabel = (rings: Ring[], { area, hole }: Ring): string | null =>
  rings.length === 1 ? null : messages.map.form.ring(area + 1, hole)

/** The rings that have corners, those of an area together. */
function areasOf(rings: Ring[]): Ring[][] {
  const areas: Ring[][] = []
  for (const ring of rings.filter(({ corners }) => corners.length > 0))
    if (areas.at(-1)?.[0]?.area === ring.area) areas.at(-1)!.push(ring)
    else areas.push([ring])
  return areas
}

/** The first line of a ring that is none yet, for it has too few corners: an empty one is left out, but not around a hole. */
export function firstShortRing(rings: Ring[]): number | null {
  const isShort = ({ area, hole, corners }: Ring) =>
    corners.length > 0
      ? corners.length < 3
      : hole === 0 && rings.some((other) => other.area === area && other.corners.length > 0)
  return rings.find(isShort)?.from ?? null
}

/** A polygon for one area, several for more, null for none. Each ring has three corners at least, see above. */
export function boundaryOf(rings: Ring[]): Boundary | null {
  const closed = ({ corners }: Ring) => [...corners, corners[0]!].map(({ lat, lon }) => [lon, lat])
  const areas = areasOf(rings).map((area) => area.map(closed))
  if (areas.length === 0) return null
  return areas.length === 1 ? { type: 'Polygon', coordinates: areas[0]! } : { type: 'MultiPolygon', coordinates: areas }
}

/** The line that a path into the coordinates of this boundary leads to. */
export function lineAt(rings: Ring[], path: (string | number)[]): number | null {
  const areas = areasOf(rings)
  const [area = 0, ring = 0, corner = 0] = [...(areas.length === 1 ? [0] : []), ...path].map(Number)
  const corners = areas[area]?.[ring]?.corners ?? []
  return corners[corner % corners.length]?.line ?? null
}

/** With a corner somewhere else. */
export const moveCorner = (text: string, { line }: Corner, to: Place): string =>
  linesOf(text).with(line, formatPlace(to)).join('\n')

/** With a further corner of a ring. */
export const addCorner = (text: string, { end }: Ring, at: Place): string =>
  linesOf(text).toSpliced(end, 0, formatPlace(at)).join('\n')

/** With a hole in the area of a ring, or with a further area; and which ring it is. */
export function addPart(text: string, rings: Ring[], { area }: Ring, part: Part): { text: string; ring: number } {
  const before = part === 'hole' ? rings.findLastIndex((ring) => ring.area === area) : rings.length - 1
  return { text: linesOf(text).toSpliced(rings[before]!.end, 0, KEYWORDS[part]).join('\n'), ring: before + 1 }
}

/** Without the last corner of a ring; without its word where it has none. */
export const removeLastCorner = (text: string, { corners, from }: Ring): string =>
  linesOf(text)
    .toSpliced(corners.at(-1)?.line ?? from, 1)
    .join('\n')
