import { centreOf, deviationOf, isNear, refined, type Sighting } from './refine.ts'
import { type CameraPose, posesOfThree } from './three-points.ts'
import { cross, difference, dot, length, unit, type Vector } from './vectors.ts'

/** A tag in a photo, and the surveyed points that carry it: several if the tag is used in several places. */
export type SeenTag = {
  sightings: readonly Sighting[]
  /** Its longest side, at a distance of 1. */
  side: number
}

/** A pose of the camera, the sighting of each tag that fits it, and what is known of its accuracy. */
export type Located = {
  pose: CameraPose
  /** By tag; undefined if it does not fit. */
  used: (Sighting | undefined)[]
  /** Of small motions of the camera in its own axes: metres, then radians. */
  covariance: number[][]
}

/**
 * `in line`: fewer than three tags that are not in a line. `contradiction`: no pose fits more than three of them. `weak`: a
 * small error of the pixels would move the camera far.
 */
export type Failure = 'in line' | 'contradiction' | 'weak'

/** Standard deviations of a sighting that fits; one in 450 that should is beyond. */
const FITS = 3.5
/** Standard deviations with which a hypothesis from three points is compared with the others: it is not refined yet. */
const NEARLY_FITS = 12
/** While a pose is refined, fewer and fewer errors are accepted. */
const LIMITS = [8, 5, FITS, FITS, FITS, FITS]
/** Triples that are tried, spread over all. */
const MAX_TRIPLES = 150
/** The sine of the least angle of a triangle that is not a line. */
const IN_LINE = 0.03
const MAX_CANDIDATES = 4
const WEAK = 0.05
const MAX_REFINED = 40
/** Standard deviations between a hypothesis from three points and the pose that it leads to. */
const ALIKE = 20

/**
 * Where a camera is that sees these tags. Poses come from triples of tags (M. Fischler and R. Bolles, Random Sample Consensus,
 * 1981, with all triples), are refined over all tags that fit, and those that fit the most tags remain: one, or several if the
 * tags cannot tell them apart, as three tags usually cannot.
 */
export function located(tags: readonly SeenTag[]): Located[] | Failure {
  const all = [...triplesOf(tags)]
  if (all.length === 0) return 'in line'
  const step = Math.ceil(all.length / MAX_TRIPLES)
  const triples = all.filter((_, at) => at % step === 0)
  const starts = triples.flatMap((triple) => {
    const [a, b, c] = triple
    const points = [a.point, b.point, c.point] as const
    return posesOfThree(points, [direction(a), direction(b), direction(c)])
  })
  const counted = starts.map((pose) => ({ pose, fits: fitting(pose, tags, NEARLY_FITS).filter(Boolean).length }))
  const most = Math.max(0, ...counted.map(({ fits }) => fits))
  const found: Located[] = []
  for (const { pose } of counted.filter(({ fits }) => fits === most).slice(0, MAX_REFINED)) {
    if (found.some((other) => countOf(other) > 3 && isNear(other.pose, pose, ALIKE * nearness(other)))) continue
    const candidate = settled(pose, tags)
    if (candidate && !found.some((other) => isNear(other.pose, candidate.pose, nearness(candidate))))
      found.push(candidate)
  }
  const best = Math.max(0, ...found.map(countOf))
  if (best < 3 || (best === 3 && tags.length > 3)) return 'contradiction'
  const likeliest = found
    .filter((candidate) => countOf(candidate) === best)
    .toSorted((a, b) => spread(a, tags) - spread(b, tags))
    .slice(0, MAX_CANDIDATES)
  return isWeak(likeliest[0]!) ? 'weak' : likeliest
}

/** Whether the standard deviation of the place is more than a share of the distance to the tags. */
function isWeak(candidate: Located): boolean {
  const distances = candidate.used.flatMap((sighting) =>
    sighting ? [length(difference(sighting.point, centreOf(candidate.pose)))] : [],
  )
  return nearness(candidate) > WEAK * Math.min(...distances)
}

const countOf = ({ used }: Located): number => used.filter(Boolean).length

/** Refines a pose over the tags that fit, until these are the same. */
function settled(start: CameraPose, tags: readonly SeenTag[]): Located | undefined {
  let pose = start
  let used = fitting(pose, tags, NEARLY_FITS)
  for (const limit of LIMITS) {
    const sightings = used.filter((sighting) => sighting !== undefined)
    if (sightings.length < 3) return undefined
    const better = refined(pose, sightings)
    if (!better) return undefined
    pose = better.pose
    const next = fitting(pose, tags, limit)
    const isSame = limit === FITS && next.every((sighting, at) => sighting === used[at])
    used = next
    if (!isSame) continue
    // Errors larger than expected, for example of an inaccurate focal length, count.
    const freedom = 2 * sightings.length - 6
    const factor = freedom > 0 ? Math.max(1, better.error / freedom) : 1
    return { pose, used, covariance: better.covariance.map((row) => row.map((value) => value * factor)) }
  }
  return undefined
}

/** For each tag, the sighting that fits best, if one does. */
const fitting = (pose: CameraPose, tags: readonly SeenTag[], limit: number): (Sighting | undefined)[] =>
  tags.map(({ sightings }) => {
    const deviations = sightings.map((sighting) => deviationOf(pose, sighting))
    const least = Math.min(...deviations)
    return least <= limit ? sightings[deviations.indexOf(least)] : undefined
  })

function* triplesOf(tags: readonly SeenTag[]): Generator<[Sighting, Sighting, Sighting]> {
  for (let i = 0; i < tags.length; i++)
    for (let j = i + 1; j < tags.length; j++)
      for (let k = j + 1; k < tags.length; k++)
        for (const a of tags[i]!.sightings)
          for (const b of tags[j]!.sightings)
            for (const c of tags[k]!.sightings) if (isTriangle(a.point, b.point, c.point)) yield [a, b, c]
}

function isTriangle(a: Vector, b: Vector, c: Vector): boolean {
  const sides = [difference(b, a), difference(c, b), difference(a, c)] as const
  if (sides.some((side) => length(side) < 1e-3)) return false
  const sines = sides.map((side, at) => length(cross(unit(side), unit(sides[(at + 1) % 3]!))))
  return Math.min(...sines) > IN_LINE
}

const direction = ({ seen: [x, y] }: Sighting): Vector => [x, y, 1]

/** Metres within which two refined poses are the same: a standard deviation of the position. */
const nearness = ({ covariance }: Located): number =>
  Math.max(1e-3, Math.sqrt(covariance[0]![0]! + covariance[1]![1]! + covariance[2]![2]!))

/**
 * The ratio of the largest tag to the smallest, by their distances. Tags of one print are equal, so of the poses of three tags
 * the one with the least ratio is the likeliest.
 */
function spread({ pose: { rotation, translation }, used }: Located, tags: readonly SeenTag[]): number {
  const sizes = used.flatMap((sighting, at) =>
    sighting ? [tags[at]!.side * (dot(rotation[2], sighting.point) + translation[2])] : [],
  )
  return Math.max(...sizes) / Math.min(...sizes)
}
