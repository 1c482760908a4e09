import { invalid } from '../../../platform/errors.ts'
import { placeIntersects } from '../cql2/spatial.ts'
import { type Bbox, readBbox, readNumbers } from '../query/bbox.ts'
import type { Positions } from './positions.ts'
import { type FeatureSystem, hasHeights } from './systems.ts'

/** Into how many straight pieces an edge is divided on the way to WGS84. */
const PIECES = 32

const fault = (message: string) => invalid([{ code: 'custom', message, path: ['bbox'] }])

/**
 * Reads a bbox in a reference system, whose edges are straight there. Points are compared with its outline, zones with
 * the smallest box in degrees around it. @throws 400
 */
export async function readBboxIn(text: string, system: FeatureSystem, { located }: Positions): Promise<Bbox> {
  if (system.kind === 'lon-lat') return readBbox(text)
  const numbers = readNumbers(text)
  if (numbers.length === 6 && !hasHeights(system))
    throw fault(`${system.code} has no heights: write four numbers in bbox`)
  const half = numbers.length / 2
  if (system.kind === 'lat-lon') {
    const swapped = [numbers.slice(0, half), numbers.slice(half)].flatMap(([lat, lon, ...h]) => [lon, lat, ...h])
    return readBbox(swapped.join(','))
  }
  const [minX, minY, maxX, maxY] = numbers as [number, number, number, number]
  if (minX > maxX || minY > maxY) throw fault('the first two numbers of bbox may not be greater than the last two')
  const corners: [number, number][] = [
    [minX, minY],
    [maxX, minY],
    [maxX, maxY],
    [minX, maxY],
  ]
  const edge = corners.flatMap(([x, y], i) => {
    const [toX, toY] = corners[(i + 1) % 4]!
    return Array.from({ length: PIECES }, (_, n): [number, number] => [
      x + ((toX - x) * n) / PIECES,
      y + ((toY - y) * n) / PIECES,
    ])
  })
  const ring = await located([...edge, corners[0]!], system)
  if (!ring) throw fault(`the bbox reaches beyond the positions that ${system.code} has`)
  const turned = withoutJumps(ring)
  const longitudes = turned.map(([longitude]) => longitude)
  const isClosed = Math.abs(longitudes.at(-1)! - longitudes[0]!) < 1
  if (!isClosed || longitudes.some((longitude) => Math.abs(longitude) > 180))
    throw fault(`the bbox in ${system.code} contains a pole or crosses 180°: send it in CRS84`)
  const latitudes = turned.map(([, latitude]) => latitude)
  const around = readBbox(
    [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)].join(','),
  )
  turned[turned.length - 1] = turned[0]!
  return { ...around, outline: placeIntersects({ type: 'Polygon', coordinates: [turned] }) }
}

/** A ring in which each longitude follows the one before by the short way. */
function withoutJumps(ring: [number, number][]): [number, number][] {
  let before = ring[0]![0]
  return ring.map(([longitude, latitude]) => {
    before += ((longitude - before + 540) % 360) - 180
    return [Math.abs(before) - 180 < 1e-9 ? Math.max(-180, Math.min(180, before)) : before, latitude]
  })
}
