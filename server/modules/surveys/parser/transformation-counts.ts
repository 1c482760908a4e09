import type { HeightTransformation, PointTransformation, SurveyPoint } from './rows/point.ts'

/** `points` were brought to WGS84 by it. */
export type UsedTransformation = PointTransformation & { points: number }

/** Heights of `points` are above `datum`. What brought them to the ellipsoid, and its accuracy in metres, if something did. */
export type UsedHeights = { datum: string; points: number } & (
  | HeightTransformation
  | { operation: null; accuracy: null }
)

/** More of a kind are not listed. */
const MOST = 50

/** What the points of a file were brought to WGS84 and to the ellipsoid by, each with the number of its points. */
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
    /** Datums and models that lead to the ellipsoid, or should. */
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
