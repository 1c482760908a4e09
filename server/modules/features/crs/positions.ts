import { z } from 'zod'
import { badRequest, HttpError, invalid } from '../../../platform/errors.ts'
import type { Exports } from '../../exports/index.ts'
import type { FeatureSystem } from './systems.ts'

/** The largest error of a transformation, in metres: systems that are less accurate are refused. */
export const MAX_ERROR = 1

type Systems = Exports['systems']
type Transform = Systems['toAxes']
type Coordinates = number[] | Coordinates[]
type Geometry = { coordinates: Coordinates }

const Position = z.array(z.number()).min(2).max(3)
const Line = z.array(Position)
/** A geometry with positions; a merge patch need not have its type. */
const Located = z.looseObject({
  coordinates: z.union([Position, Line, z.array(Line), z.array(z.array(Line))]),
})

/** An operation that transformed positions. */
export type UsedOperation = { name: string; accuracy: number | null; points: number }

export type Positions = ReturnType<typeof positions>

/** Moves geometries between WGS84, longitude first, and the systems of requests. Heights stay as they are. */
export function positions({ toAxes, fromAxes }: Systems) {
  /** @throws 400 if one cannot be placed accurately */
  async function moved(
    geometries: (Geometry | null)[],
    system: FeatureSystem,
    transform: Transform,
  ): Promise<UsedOperation[]> {
    const places = geometries.flatMap((geometry) => (geometry ? [...placesOf(geometry.coordinates)] : []))
    if (system.kind === 'lon-lat' || places.length === 0) return []
    if (system.kind === 'lat-lon') {
      for (const place of places) [place[0], place[1]] = [place[1]!, place[0]!]
      return []
    }
    const { pairs, placed } = await transform(asked(system), pairsOf(places))
    const outside = placed.outside[0]
    if (outside !== undefined)
      throw badRequest(
        `The position ${places[outside]!.slice(0, 2).join(', ')} lies outside the area of ${system.code}: choose features in that area with bbox, or use another reference system`,
      )
    const [refused] = placed.refused
    if (refused) throw badRequest(`${refused.message}, which is the most for features`)
    for (const [i, place] of places.entries()) [place[0], place[1]] = [pairs[2 * i]!, pairs[2 * i + 1]!]
    return placed.operations
  }

  return {
    /** Changes geometries in WGS84 to a system. @returns the operations used @throws 400 */
    toSystem: (geometries: (Geometry | null)[], system: FeatureSystem) => moved(geometries, system, toAxes),

    /** A geometry of a request in WGS84. One without positions stays as it is, for its validation to refuse. @throws 400 */
    toWgs84: async (given: unknown, system: FeatureSystem): Promise<unknown> => {
      const { success, data: geometry } = Located.safeParse(given)
      if (!success || system.kind === 'lon-lat') return given
      try {
        await moved([geometry], system, fromAxes)
        return geometry
      } catch (error) {
        if (!(error instanceof HttpError) || typeof error.error !== 'string') throw error
        throw invalid([{ code: 'custom', message: error.error, path: ['geometry', 'coordinates'] }])
      }
    },

    /** Positions of a system in WGS84, also beyond its area; undefined if one has none. @throws 400 */
    async located(places: [number, number][], system: FeatureSystem): Promise<[number, number][] | undefined> {
      if (system.kind === 'lon-lat') return places
      if (system.kind === 'lat-lon') return places.map(([latitude, longitude]) => [longitude, latitude])
      const { pairs } = await fromAxes(asked(system), pairsOf(places))
      if (!pairs.every(Number.isFinite)) return undefined
      return places.map((_, i) => [pairs[2 * i]!, pairs[2 * i + 1]!])
    },
  }
}

const asked = ({ code }: FeatureSystem) => ({ crs: code, maxError: MAX_ERROR })

const pairsOf = (places: number[][]): Float64Array => Float64Array.from(places.flatMap(([x, y]) => [x!, y!]))

function* placesOf(coordinates: Coordinates): Generator<number[]> {
  if (typeof coordinates[0] === 'number') yield coordinates as number[]
  else for (const part of coordinates as Coordinates[]) yield* placesOf(part)
}
