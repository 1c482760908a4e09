import type { Positions } from './positions.ts'
import type { FeatureSystem } from './systems.ts'

/** Into how many straight pieces an edge is divided on the way to WGS84. */
const PIECES = 32
/** The most pieces of all edges together, unless there are more edges. */
const MAX_PIECES = 2000

type Ring = number[][]
type Refuse = (message: string) => Error

/** The closed ring around a box of a system. */
export const ringAround = ([minX, minY, maxX, maxY]: readonly [number, number, number, number]): Ring => [
  [minX, minY],
  [maxX, minY],
  [maxX, maxY],
  [minX, maxY],
  [minX, minY],
]

/** The smallest box in degrees around rings: west, south, east, north. */
export function boxAround(rings: Ring[]): [number, number, number, number] {
  const all = rings.flat()
  const [longitudes, latitudes] = [all.map(([longitude]) => longitude!), all.map(([, latitude]) => latitude!)]
  return [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)]
}

/**
 * Closed rings of a plane system in WGS84. Their edges are straight in the system, and are followed in pieces.
 * @param refuse makes the error for a ring that reaches too far @throws 400
 */
export async function outlinesIn(
  rings: Ring[],
  system: FeatureSystem,
  { located }: Pick<Positions, 'located'>,
  refuse: Refuse,
): Promise<Ring[]> {
  if (rings.length === 0) return []
  const edges = rings.reduce((sum, ring) => sum + ring.length - 1, 0)
  const pieces = Math.max(1, Math.min(PIECES, Math.floor(MAX_PIECES / edges)))
  const divided = rings.map((ring) => inPieces(ring, pieces))
  const places = await located(divided.flat(), system)
  if (!places) throw refuse(`reaches beyond the positions that ${system.code} has`)
  const rest = [...places]
  return divided.map(({ length }) => {
    const turned = withoutJumps(rest.splice(0, length))
    const [first, last] = [turned[0]!, turned.at(-1)!]
    const isClosed = Math.abs(last[0]! - first[0]!) < 1
    if (!isClosed || turned.some(([longitude]) => Math.abs(longitude!) > 180))
      throw refuse(`contains a pole or crosses 180° in ${system.code}: send it in CRS84`)
    return [...turned.slice(0, -1), first]
  })
}

function inPieces(ring: Ring, pieces: number): [number, number][] {
  const divided = ring.slice(1).flatMap(([toX, toY], i) => {
    const [x, y] = ring[i]! as [number, number]
    return Array.from({ length: pieces }, (_, n): [number, number] => [
      x + ((toX! - x) * n) / pieces,
      y + ((toY! - y) * n) / pieces,
    ])
  })
  return [...divided, [ring[0]![0]!, ring[0]![1]!]]
}

/** A ring in which each longitude follows the one before by the short way. */
function withoutJumps(ring: [number, number][]): Ring {
  let before = ring[0]![0]
  return ring.map(([longitude, latitude]) => {
    before += ((longitude - before + 540) % 360) - 180
    return [Math.abs(before) - 180 < 1e-9 ? Math.max(-180, Math.min(180, before)) : before, latitude]
  })
}
