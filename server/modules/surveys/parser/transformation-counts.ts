import type { HeightTransformation, PointTransformation, SurveyPoint } from './rows/point.ts'

/** `points` were converted to WGS84 by it. */
export type UsedTransformation = PointTransformation & { points: number }

/** Heights of `points` have the reference `datum`. The model to the ellipsoid and its accuracy in metres, if any. */
export type UsedHeights = { datum: string; points: number } & (
  | HeightTransformation
  | { operation: null; accuracy: null }
)

/** Maximum number of listed entries of a kind. */
const MOST = 50

/** Counts the points of a file by their operations to WGS84 and to the ellipsoid. */
export function transformationCounts() {
  const transformations = counted<PointTransformation>()
  const heights = counted<Omit<UsedHeights, 'points'>>()
  return {
    /** @returns whether the point is the first of its operation, and of its height datum and model */
    add({ transformation, heightDatum, heightTransformation }: SurveyPoint): { place: boolean; height: boolean } {
      const ofHeight = heightDatum !== null && {
        datum: heightDatum,
        ...(heightTransformation ?? { operation: null, accuracy: null }),
      }
      return {
        place: transformation !== null && transformations.add(transformation, transformation.crs),
        height: ofHeight !== false && heights.add(ofHeight, ofHeight.datum),
      }
    },
    get transformations(): UsedTransformation[] {
      return transformations.all()
    },
    /** Height datums with their models, if any. */
    get coarseHeights(): number {
      return heights.all().filter(({ datum }) => datum !== 'ellipsoid' && datum !== 'unknown').length
    },
    get heights(): UsedHeights[] {
      return heights.all() as UsedHeights[]
    },
  }
}

function counted<T extends { operation: string | null }>() {
  const byName = new Map<string, T & { points: number }>()
  return {
    add(way: T, of: string): boolean {
      const key = `${of} ${way.operation}`
      const known = byName.get(key)
      if (known) known.points++
      else if (byName.size < MOST) byName.set(key, { ...way, points: 1 })
      return !known
    },
    all: () => [...byName.values()],
  }
}
