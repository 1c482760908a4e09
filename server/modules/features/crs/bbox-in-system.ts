import { invalid } from '../../../platform/errors.ts'
import { placeIntersects } from '../cql2/spatial.ts'
import { type Bbox, readBbox, readNumbers } from '../query/bbox.ts'
import { boxAround, outlinesIn, ringAround } from './outlines.ts'
import type { Positions } from './positions.ts'
import { type FeatureSystem, hasHeights } from './systems.ts'

const fault = (message: string) => invalid([{ code: 'custom', message, path: ['bbox'] }])

/**
 * Reads a bbox in a reference system, whose edges are straight there. Points are compared with its outline, zones with
 * the smallest box in degrees around it. @throws 400
 */
export async function readBboxIn(text: string, system: FeatureSystem, positions: Positions): Promise<Bbox> {
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
  const refuse = (message: string) => fault(`the bbox ${message}`)
  const rings = await outlinesIn([ringAround([minX, minY, maxX, maxY])], system, positions, refuse)
  const outline = placeIntersects({ type: 'Polygon', coordinates: rings })
  return { ...readBbox(boxAround(rings).join(',')), outline }
}
