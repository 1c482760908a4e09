import { hypothesesOf } from './hypotheses.ts'
import { centreOf, isNear, refined } from './refine.ts'
import { deviationOf, type SeenTag, type Sighting } from './sighting.ts'
import type { CameraPose } from './three-points.ts'
import { difference, dot, length } from './vectors.ts'

/** A pose of the camera, the sighting of each tag that fits it, and what is known of its accuracy. */
export type Located = {
  pose: CameraPose
  /** By tag; undefined if it does not fit. */
  used: (Sighting | undefined)[]
  /** Of small motions of the camera in its own axes: metres, then radians. */
  covariance: number[][]
  /** The sum of the squares of the errors, in standard deviations. */
  error: number
}

/**
 * `in line`: fewer than three tags that are not in a line, and none with corners. `contradiction`: no pose fits more tags than it
 * needs. `weak`: a small error of the pixels would move the camera far.
 */
export type Failure = 'in line' | 'contradiction' | 'weak'

/** Standard deviations of a sighting that fits; one in 450 that should is beyond. */
const FITS = 3.5
/** Standard deviations with which a hypothesis is compared with the others: it is not refined yet. */
const NEARLY_FITS = 12
/** While a pose is refined, fewer and fewer errors are accepted. */
const LIMITS = [8, 5, FITS, FITS, FITS, FITS]
const MAX_CANDIDATES = 4
const WEAK = 0.05
const MAX_REFINED = 40
/** Standard deviations between a hypothesis from three points and the pose that it leads to. */
const ALIKE = 20

/**
 * Where a camera is that sees these tags. Poses come from single tags and from triples of them, are refined over all tags that
 * fit, and those that fit the most tags remain: one, or several if the tags cannot tell them apart, as three tags usually cannot,
 * nor a single small one.
 */
export function located(tags: readonly SeenTag[]): Located[] | Failure {
  const starts = hypothesesOf(tags)
  if (starts === undefined) return 'in line'
  const counted = starts.map((pose) => ({ pose, fits: fitting(pose, tags, NEARLY_FITS).filter(Boolean).length }))
  const most = Math.max(0, ...counted.map(({ fits }) => fits))
  const found: Located[] = []
  for (const { pose } of counted.filter(({ fits }) => fits === most).slice(0, MAX_REFINED)) {
    if (found.some((other) => spareOf(other) > 0 && isNear(other.pose, pose, ALIKE * nearness(other)))) continue
    const candidate = settled(pose, tags)
    if (candidate && !found.some((other) => isNear(other.pose, candidate.pose, nearness(candidate))))
      found.push(candidate)
  }
  const best = Math.max(0, ...found.map(countOf))
  const agreeing = found.filter((candidate) => countOf(candidate) === best)
  const spare = Math.max(-1, ...agreeing.map(spareOf))
  if (spare < 0 || (spare === 0 && best < tags.length)) return 'contradiction'
  const likeliest = likeliestOf(agreeing, tags).slice(0, MAX_CANDIDATES)
  return isWeak(likeliest[0]!) ? 'weak' : likeliest
}

/** With corners, the poses whose errors cannot be told apart, the least first; of centres all, by the sizes of the tags. */
function likeliestOf(found: Located[], tags: readonly SeenTag[]): Located[] {
  if (!found.some(hasCorners)) return found.toSorted((a, b) => spread(a, tags) - spread(b, tags))
  const least = Math.min(...found.map(({ error }) => error))
  return found.filter(({ error }) => error - least < FITS ** 2).toSorted((a, b) => a.error - b.error)
}

/** Whether the standard deviation of the place is more than a share of the distance to the tags. */
function isWeak(candidate: Located): boolean {
  const distances = candidate.used.flatMap((sighting) =>
    sighting ? [length(difference(sighting.point, centreOf(candidate.pose)))] : [],
  )
  return nearness(candidate) > WEAK * Math.min(...distances)
}

const countOf = ({ used }: Located): number => used.filter(Boolean).length
const hasCorners = ({ used }: Pick<Located, 'used'>): boolean => used.some((sighting) => sighting?.square)
/** The tags that fit beyond those that a pose needs: one with corners, or three. */
const spareOf = (candidate: Located): number => countOf(candidate) - (hasCorners(candidate) ? 1 : 3)

/** Refines a pose over the tags that fit, until these are the same. */
function settled(start: CameraPose, tags: readonly SeenTag[]): Located | undefined {
  let pose = start
  let used = fitting(pose, tags, NEARLY_FITS)
  for (const limit of LIMITS) {
    const sightings = used.filter((sighting) => sighting !== undefined)
    if (sightings.length < 3 && !hasCorners({ used })) return undefined
    const better = refined(pose, sightings)
    if (!better) return undefined
    pose = better.pose
    const next = fitting(pose, tags, limit)
    const isSame = limit === FITS && next.every((sighting, at) => sighting === used[at])
    used = next
    if (!isSame) continue
    const freedom = sightings.reduce((total, { square }) => total + (square ? 8 : 2), -6)
    const factor = better.error > expectedAtMost(freedom) ? better.error / freedom : 1
    const covariance = better.covariance.map((row) => row.map((value) => value * factor))
    return { pose, used, covariance, error: better.error }
  }
  return undefined
}

/**
 * The sum of squared errors that one pose in a hundred exceeds (E. Wilson and M. Hilferty, 1931). Larger ones are not chance,
 * for example of an inaccurate focal length, and count. If smaller ones counted, a single tag would be too cautious.
 */
const expectedAtMost = (freedom: number): number =>
  freedom > 0 ? freedom * (1 - 2 / (9 * freedom) + 2.326 * Math.sqrt(2 / (9 * freedom))) ** 3 : Number.POSITIVE_INFINITY

/** For each tag, the sighting that fits best, if one does. */
const fitting = (pose: CameraPose, tags: readonly SeenTag[], limit: number): (Sighting | undefined)[] =>
  tags.map(({ sightings }) => {
    const deviations = sightings.map((sighting) => deviationOf(pose, sighting))
    const least = Math.min(...deviations)
    return least <= limit ? sightings[deviations.indexOf(least)] : undefined
  })

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
