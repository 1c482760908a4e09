import type { Crs } from '../../../../reference-systems/crs.ts'
import { type Decimal, readGrouped } from '../../rows/values/numbers.ts'

/** Degrees between the same positions in two systems. */
const SAME = 0.01
/** Metres of a degree of latitude. */
const DEGREE = 111_320
/** Largest errors of a fit: of its scale, and of its positions as a part of their extent. */
const MAX_SCALE = 0.05
const MAX_ERROR = 0.03

type Pair = readonly [number, number]
type LatLon = { latitude: number; longitude: number }

/**
 * Whether two columns are provably the positions at `first` in another system, and no height with its accuracy: degrees
 * to which `crs` transforms most of the first, or metres onto which they fit by shifting and turning.
 */
export function isSecondPair(
  rows: readonly string[][],
  first: number,
  at: number,
  decimal: Decimal,
  crs: Crs | undefined,
): boolean {
  const read = (fields: readonly string[], index: number): Pair => [
    readGrouped(fields[index] ?? '', decimal) ?? Number.NaN,
    readGrouped(fields[index + 1] ?? '', decimal) ?? Number.NaN,
  ]
  const both = rows.map((fields) => [read(fields, first), read(fields, at)] as const)
  const agree = both.filter(([one, other]) => crs?.kind === 'projected' && areSame(one, other, crs)).length
  if (agree * 2 > rows.length) return true
  const areDegrees = crs
    ? crs.kind === 'geographic'
    : both.every(([[a, b]]) => Math.max(Math.abs(a), Math.abs(b)) <= 180)
  const turned = [false, true].flatMap((swap) =>
    both.map(([[a, b], other]) => {
      const [north, east] = swap ? [b, a] : [a, b]
      const one: Pair = areDegrees
        ? [east * DEGREE * Math.cos(((swap ? both[0]![0][1] : both[0]![0][0]) * Math.PI) / 180), north * DEGREE]
        : [east, north]
      return [one, other] as const
    }),
  )
  return [turned.slice(0, both.length), turned.slice(both.length)].some(isFit)
}

/** Decimals from which on numbers may be the degrees of points, and of a single point, also in several rows. */
const MIN_DECIMALS = 4
const MIN_DECIMALS_OF_ONE = 6
/** Degrees of a single point are not as far from its metres: two heights or angles would be. */
const MAX_DEGREES_OF_ONE = 15
/** Degrees of latitude and longitude, in lengths of a degree of latitude, differ by this many times the metres. */
const SPREAD = [0.5, 3] as const

/**
 * Two columns that can be latitude and longitude of the points at `first`, but are in another place than `crs` says:
 * they have more decimals than the metres before them, are no accuracies, and differ between the rows as degrees of
 * points as far from each other do. @returns the degrees of both readings of the first row
 */
export function contradictingDegrees(
  rows: readonly string[][],
  first: number,
  at: number,
  decimal: Decimal,
  crs: Crs | undefined,
): { written: Pair; transformed: Pair } | undefined {
  if (crs?.kind !== 'projected' || rows.length === 0) return undefined
  const cells = rows.map((fields) => [first, first + 1, at, at + 1].map((index) => (fields[index] ?? '').trim()))
  const figures = cells.map((row) => row.map((cell) => readGrouped(cell, decimal) ?? Number.NaN))
  const most = Math.max(...cells.flatMap(([a, b]) => [decimalsOf(a!), decimalsOf(b!)]))
  const extents = [0, 1, 2, 3].map((of) => {
    const all = figures.map((row) => row[of]!)
    return Math.max(...all) - Math.min(...all)
  })
  const metres = Math.hypot(extents[0]!, extents[1]!) * crs.unit
  const least = Math.max(most + 1, metres > 1 ? MIN_DECIMALS : MIN_DECIMALS_OF_ONE)
  const areAngles = figures.every(([, , c, d], i) => {
    const [small, large] = [Math.abs(c!), Math.abs(d!)].toSorted((one, other) => one - other) as [number, number]
    return small >= 1 && small <= 90 && large <= 180 && cells[i]!.slice(2).every((cell) => decimalsOf(cell) >= least)
  })
  const spread = (Math.hypot(extents[2]!, extents[3]!) * DEGREE) / metres
  if (!areAngles || (metres > 1 && !(spread >= SPREAD[0] && spread <= SPREAD[1]))) return undefined
  const written = Math.min(...cells.flatMap(([, , c, d]) => [decimalsOf(c!), decimalsOf(d!)]))
  if (metres > 1 && !areAlike(figures, 10 ** -written)) return undefined
  if (figures.some(([a, b, c, d]) => areSame([a!, b!], [c!, d!], crs))) return undefined
  const [a, b, c, d] = figures[0]!
  const apart = ({ latitude, longitude }: LatLon, x: number, y: number) =>
    Math.max(Math.abs(x - latitude), Math.abs(y - longitude))
  const isFar = (found: LatLon) => Math.min(apart(found, c!, d!), apart(found, d!, c!)) > MAX_DEGREES_OF_ONE
  const places = [crs.toWgs84(a!, b!), crs.toWgs84(b!, a!)].filter((found) => found !== undefined)
  const [place] = places
  if (!place || (metres <= 1 && places.every(isFar))) return undefined
  return { written: [c!, d!], transformed: [place.latitude, place.longitude] }
}

/** Whether degrees are as far from those of the first row as the metres are, up to one scale and their rounding. */
function areAlike(figures: readonly number[][], rounding: number): boolean {
  const [first, ...others] = figures as [number[], ...number[][]]
  return [2, 3].some((north) => {
    const shrinking = Math.cos((first[north]! * Math.PI) / 180)
    const both = others.map((row) => {
      const [a, b, c, d] = row.map((value, i) => value - first[i]!) as [number, number, number, number]
      const angle = north === 2 ? Math.hypot(c, d * shrinking) : Math.hypot(c * shrinking, d)
      return [Math.hypot(a, b), angle] as const
    })
    const sum = (of: 0 | 1) => both.reduce((total, pair) => total + pair[of], 0)
    const scale = sum(1) / sum(0)
    return both.every(([metres, angle]) => Math.abs(angle - scale * metres) <= 0.1 * scale * metres + 2 * rounding)
  })
}

const decimalsOf = (cell: string): number => (/[.,](\d+)$/.exec(cell)?.[1] ?? '').length

function areSame([a, b]: Pair, [c, d]: Pair, crs: Crs): boolean {
  // Degrees south and west may be written without their sign.
  const isNear = (place: number, written: number) =>
    Math.abs(place - written) <= SAME || Math.abs(place + Math.max(written, 0)) <= SAME
  return [crs.toWgs84(a, b), crs.toWgs84(b, a)].some(
    (place) =>
      place !== undefined &&
      ((isNear(place.latitude, c) && isNear(place.longitude, d)) ||
        (isNear(place.latitude, d) && isNear(place.longitude, c))),
  )
}

/** Whether a shift and a turn without a change of scale map the first pairs, not on one line, to the second. */
function isFit(both: readonly (readonly [Pair, Pair])[]): boolean {
  if (both.length < 3) return false
  const mean = (of: 0 | 1, axis: 0 | 1) => both.reduce((sum, pairs) => sum + pairs[of][axis], 0) / both.length
  const middle = [0, 1].map((of) => [mean(of as 0 | 1, 0), mean(of as 0 | 1, 1)])
  const points = both.map(([[x, y], [u, v]]) => ({
    x: x - middle[0]![0]!,
    y: y - middle[0]![1]!,
    u: u - middle[1]![0]!,
    v: v - middle[1]![1]!,
  }))
  const sum = (of: (point: (typeof points)[number]) => number) => points.reduce((total, point) => total + of(point), 0)
  const [xx, yy, xy] = [sum(({ x }) => x * x), sum(({ y }) => y * y), sum(({ x, y }) => x * y)]
  const size = xx + yy
  // On one line, any two columns that rise evenly would fit.
  if (!(xx * yy - xy * xy > 0.01 * size * size)) return false
  const cos = sum(({ x, y, u, v }) => x * u + y * v) / size
  const sin = sum(({ x, y, u, v }) => x * v - y * u) / size
  const error = Math.max(...points.map(({ x, y, u, v }) => Math.hypot(cos * x - sin * y - u, sin * x + cos * y - v)))
  return Math.abs(Math.hypot(cos, sin) - 1) <= MAX_SCALE && error <= MAX_ERROR * Math.sqrt(size)
}
