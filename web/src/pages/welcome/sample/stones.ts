/** A stone of the cairn: its centre and size in metres, y up. */
export type Stone = { x: number; y: number; halfWidth: number; halfHeight: number; colour: Rgb }
export type Rgb = readonly [number, number, number]
type Point = readonly [number, number, number]
export type Triangle = readonly [Point, Point, Point]

/** The stones from the ground up. The last one is the marker. */
export const STONES: readonly Stone[] = [
  { x: 0, y: 0.06, halfWidth: 0.2, halfHeight: 0.068, colour: [0.55, 0.54, 0.49] },
  { x: 0.012, y: 0.176, halfWidth: 0.13, halfHeight: 0.054, colour: [0.62, 0.6, 0.55] },
  { x: -0.006, y: 0.272, halfWidth: 0.115, halfHeight: 0.047, colour: [0.5, 0.53, 0.52] },
  { x: 0.008, y: 0.352, halfWidth: 0.09, halfHeight: 0.038, colour: [0.58, 0.56, 0.52] },
  { x: -0.006, y: 0.417, halfWidth: 0.062, halfHeight: 0.031, colour: [0.78, 0.27, 0.05] },
]

const RINGS = 7
const SEGMENTS = 16

/** The surface of a stone: an ellipsoid with deterministic noise. Triangles are counter-clockwise seen from outside. */
export function surfaceOf(stone: Stone, seed: number): Triangle[] {
  const chance = chanceFrom(seed * 7919 + 17)
  const rings = Array.from({ length: RINGS + 1 }, (_, ring) => {
    const isPole = ring === 0 || ring === RINGS
    const pole = pointOn(stone, ring, 0, 1)
    return Array.from({ length: SEGMENTS }, (_, segment) =>
      isPole ? pole : pointOn(stone, ring, segment, 0.93 + 0.14 * chance()),
    )
  })
  return rings.slice(0, -1).flatMap((upper, ring) =>
    upper.flatMap((a, segment) => {
      const next = (segment + 1) % SEGMENTS
      const lower = rings[ring + 1]!
      const [b, c, d] = [upper[next]!, lower[segment]!, lower[next]!]
      const pair: Triangle[] = [
        [a, c, d],
        [a, d, b],
      ]
      return pair.filter((triangle) => areaOf(triangle) > 1e-9)
    }),
  )
}

function pointOn({ x, y, halfWidth, halfHeight }: Stone, ring: number, segment: number, reach: number): Point {
  const down = (Math.PI * ring) / RINGS
  const around = (2 * Math.PI * (segment + (ring % 2) / 2)) / SEGMENTS
  const out = Math.sin(down) ** 0.8 * halfWidth * reach
  return [x + out * Math.cos(around), y + Math.cos(down) * halfHeight * reach, -out * Math.sin(around) * 0.85]
}

/** The unit normal of a triangle. */
export function normalOf(triangle: Triangle): Point {
  const [x, y, z] = cross(triangle)
  const length = Math.hypot(x, y, z)
  return [x / length, y / length, z / length]
}

const areaOf = (triangle: Triangle): number => Math.hypot(...cross(triangle)) / 2

function cross([a, b, c]: Triangle): Point {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]]
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
}

/** Deterministic random numbers from 0 to 1 (mulberry32). */
function chanceFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
