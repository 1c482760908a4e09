import type { Boundary, Ring } from './schema.ts'

/** What is wrong with a boundary, and where in it. */
export type ShapeFault = { message: string; path: (string | number)[] }

const MAX_VERTICES = 10_000
const METRES_PER_DEGREE = 111_320

/** Each polygon of a boundary with its place in `coordinates`. */
function polygons(boundary: Boundary): { rings: Ring[]; path: number[] }[] {
  if (boundary.type === 'Polygon') return [{ rings: boundary.coordinates, path: [] }]
  return boundary.coordinates.map((rings, i) => ({ rings, path: [i] }))
}

/** The first thing that makes a boundary unusable by RFC 7946 §3.1.6: rings of four positions or more, closed, in range. */
export function shapeFault(boundary: Boundary): ShapeFault | undefined {
  let vertices = 0
  for (const { rings, path } of polygons(boundary)) {
    for (const [i, ring] of rings.entries()) {
      vertices += ring.length
      if (vertices > MAX_VERTICES) return { message: `a boundary may have ${MAX_VERTICES} positions at most`, path }
      const fault = ringFault(ring)
      if (fault) return { message: fault.message, path: [...path, i, ...fault.path] }
    }
  }
  return undefined
}

function ringFault(ring: Ring): ShapeFault | undefined {
  if (ring.length < 4) return { message: 'a ring needs four positions at least, the last equal to the first', path: [] }
  for (const [i, [longitude, latitude]] of ring.entries()) {
    if (!(Math.abs(longitude!) <= 180)) return { message: `longitude ${longitude} is outside -180..180`, path: [i, 0] }
    if (!(Math.abs(latitude!) <= 90)) return { message: `latitude ${latitude} is outside -90..90`, path: [i, 1] }
  }
  const last = ring.at(-1)!
  if (ring[0]![0] === last[0] && ring[0]![1] === last[1]) return undefined
  return { message: 'a ring must end at the position it begins with', path: [ring.length - 1] }
}

/**
 * A quick test whether a point is near a zone: inside the box around one of its polygons, widened by a margin in
 * metres. What it refuses is surely outside; for telling exchanged axes and far-off points, not for containment.
 */
export function nearZone(boundary: Boundary, marginMetres: number): (latitude: number, longitude: number) => boolean {
  const north = marginMetres / METRES_PER_DEGREE
  const boxes = polygons(boundary).map(({ rings }) => {
    const longitudes = rings[0]!.map(([longitude]) => longitude!)
    const latitudes = rings[0]!.map(([, latitude]) => latitude!)
    const [south, top] = [min(latitudes) - north, max(latitudes) + north]
    const widest = Math.cos((Math.min(89.9, Math.max(Math.abs(south), Math.abs(top))) * Math.PI) / 180)
    return { south, top, west: min(longitudes) - north / widest, east: max(longitudes) + north / widest }
  })
  return (latitude, longitude) =>
    boxes.some(({ south, top, west, east }) => {
      if (latitude < south || latitude > top) return false
      return [longitude - 360, longitude, longitude + 360].some((turned) => turned >= west && turned <= east)
    })
}

const min = (values: number[]) => values.reduce((a, b) => Math.min(a, b))
const max = (values: number[]) => values.reduce((a, b) => Math.max(a, b))
