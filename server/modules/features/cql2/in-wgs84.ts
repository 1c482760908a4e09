import { boxAround, outlinesIn, ringAround } from '../crs/outlines.ts'
import type { Positions } from '../crs/positions.ts'
import type { FeatureSystem } from '../crs/systems.ts'
import { filterFault, type GeometryLiteral } from './expression.ts'
import { assertClosed } from './spatial.ts'

type Box = [number, number, number, number]
type Ring = number[][]
/** A geometry in WGS84, longitude first. `around`: the box in degrees around a BBOX of another system. */
export type PlacedGeometry = GeometryLiteral & { around?: Box }

const refuse = (message: string) => filterFault(`has a geometry that ${message}`)

/** The geometries of a filter, which are in a reference system, in WGS84: in their order. @throws 400 */
export async function inWgs84(
  geometries: GeometryLiteral[],
  system: FeatureSystem,
  positions: Pick<Positions, 'located'>,
): Promise<PlacedGeometry[]> {
  if (system.kind === 'lon-lat') return geometries
  if (system.kind === 'lat-lon') return geometries.map((geometry) => swapped(geometry, system))
  const places = await pointsIn(geometries, system, positions)
  const rings = geometries.flatMap(ringsOf)
  const outlines = (await outlinesIn(rings, system, positions, refuse)).values()
  const placed = (rings: Ring[]): Ring[] => rings.map(() => outlines.next().value!)
  return geometries.map((geometry): PlacedGeometry => {
    if ('bbox' in geometry) {
      const coordinates = placed(ringsOf(geometry))
      return { type: 'Polygon', coordinates, around: boxAround(coordinates) }
    }
    if (geometry.type === 'Point') return { type: 'Point', coordinates: places.shift()! }
    if (geometry.type === 'Polygon') return { type: 'Polygon', coordinates: placed(geometry.coordinates) }
    return { type: 'MultiPolygon', coordinates: geometry.coordinates.map(placed) }
  })
}

async function pointsIn(geometries: GeometryLiteral[], system: FeatureSystem, { located }: Pick<Positions, 'located'>) {
  const points = geometries.flatMap((geometry): [number, number][] =>
    'type' in geometry && geometry.type === 'Point' ? [[geometry.coordinates[0]!, geometry.coordinates[1]!]] : [],
  )
  const places = points.length === 0 ? [] : await located(points, system)
  if (!places) throw refuse(`reaches beyond the positions that ${system.code} has`)
  return places
}

/** The rings of a geometry in their order. @throws 400 for one that is not closed */
function ringsOf(geometry: GeometryLiteral): Ring[] {
  if ('bbox' in geometry) return [ringAround(cornersOf(geometry.bbox))]
  if (geometry.type === 'Point') return []
  const rings = geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()
  for (const ring of rings) assertClosed(ring)
  return rings
}

/** @throws 400 */
function cornersOf(bbox: number[]): Box {
  const [minX, minY, maxX, maxY] = bbox as Box
  if (bbox.length !== 4 || minX > maxX || minY > maxY)
    throw filterFault('has a BBOX that is not the two lesser coordinates, then the two greater ones')
  return [minX, minY, maxX, maxY]
}

/** A geometry with latitude first as one with longitude first. @throws 400 */
function swapped(geometry: GeometryLiteral, { code }: FeatureSystem): GeometryLiteral {
  const swap = ([latitude, longitude]: number[]): number[] => {
    if (Math.abs(latitude!) <= 90 && Math.abs(longitude!) <= 180) return [longitude!, latitude!]
    throw filterFault(`has the position ${latitude} ${longitude}, which is not on earth: ${code} has latitude first`)
  }
  if ('bbox' in geometry) {
    if (geometry.bbox.length !== 4) throw filterFault('has a BBOX that is not south, west, north, east')
    if (geometry.bbox[0]! > geometry.bbox[2]!)
      throw filterFault('has a BBOX whose first number lies north of its third')
    return { bbox: [...swap(geometry.bbox.slice(0, 2)), ...swap(geometry.bbox.slice(2))] }
  }
  if (geometry.type === 'Point') return { type: 'Point', coordinates: swap(geometry.coordinates) }
  const rings = (all: Ring[]): Ring[] => all.map((ring) => ring.map(swap))
  return geometry.type === 'Polygon'
    ? { type: 'Polygon', coordinates: rings(geometry.coordinates) }
    : { type: 'MultiPolygon', coordinates: geometry.coordinates.map(rings) }
}
