import { badRequest, invalid, unavailable } from '../../platform/errors.ts'
import { ProcessPoolClosed } from '../../platform/sandbox/process-pool.ts'
import { exitCause } from '../../platform/sandbox/worker-process.ts'
import type { Tags } from '../tags/index.ts'
import { type PhotoFacts, PhotoFault } from '../tags/reading/photo-facts.ts'
import { type Camera, cameraOf, directionOf, pixelOf } from './pose/camera.ts'
import { type Frame, frameAt, geoPoseOf, inFrame } from './pose/frames.ts'
import { type Failure, type Located, located } from './pose/locate.ts'
import type { SeenTag, Sighting, Square } from './pose/sighting.ts'
import { centreOfSquare } from './pose/square.ts'
import { cornersOf } from './pose/tag-plane.ts'
import { sum, times } from './pose/vectors.ts'
import type { LocationProofs } from './proofs.ts'
import { DEFAULT_RADIUS, type Localization, type LocalizationOptions, type Near } from './schema.ts'
import type { LocalizationStore, SurveyedTag } from './store.ts'

/** Points that are compared; more would need hours of combinations. */
const MAX_POINTS = 200
/**
 * Standard deviations in pixels of the corners and the centre of a tag: with a calibrated camera, and by EXIF without distortion.
 * Those of the detector are 0.07 in drawn photos, with blur, noise, shadow and a lens.
 */
const CALIBRATED = 0.1
const BY_EXIF = 3
/** Metres, where a survey states no accuracy. */
const HORIZONTAL = 0.02
const VERTICAL = 0.03
/** Standard deviation of the size of a tag, as a share of it. */
const SCALED = 0.005
const RADIANS = Math.PI / 180

const REASONS: Record<Failure, string> = {
  'in line':
    'Three surveyed tags that are not in a line are needed, or one whose tagSize and tagPose are known: show more of them',
  contradiction: 'The tags contradict each other: check their points, the camera and near',
  weak: 'The tags are too close together, or too far away, for a place: show more of them, or come closer',
}

const NO_TAG = 'The image shows no AprilTag: show whole tags with their white edges, from a shorter distance'
const NO_POINT = 'No surveyed point there carries a tag of the image: check near and appId, or give a larger radius'

type Deps = {
  store: LocalizationStore
  readTags: Tags['read']
  proofs: Pick<LocationProofs, 'issue'>
}

type Question = { bytes: AsyncIterable<Uint8Array>; size: number } & LocalizationOptions

export type LocalizationService = ReturnType<typeof localizationService>

/** Finds cameras by the surveyed tags that they see. */
export function localizationService({ store, readTags, proofs }: Deps) {
  return {
    /** Where the camera of a photo was. @throws 400 if the photo cannot be read, or lacks a camera or a place; 503 */
    async localize({ bytes, size, camera, near, appId }: Question, signal: AbortSignal): Promise<Localization> {
      const facts = await readTags({ bytes, size }, signal).catch(meaning)
      if (facts.tags.length === 0) return unknown(NO_TAG, facts)
      const area = near ?? areaOf(facts)
      const lens = camera ?? lensOf(facts)
      const points = await store.tagsNear([...new Set(facts.tags.map(({ id }) => id))], area, appId, MAX_POINTS + 1)
      if (points.length > MAX_POINTS)
        throw invalid([
          {
            code: 'custom',
            message: `more than ${MAX_POINTS} points there carry these tags: give a smaller radius`,
            path: ['near'],
          },
        ])
      if (points.length === 0) return unknown(NO_POINT, facts)
      const answer = answerOf(facts, lens, points, camera ? CALIBRATED : BY_EXIF)
      return answer.state === 'found' ? { ...answer, proof: proofs.issue(answer, facts, Date.now()) } : answer
    },
  }
}

/** What a failure means for the sender of the image. */
function meaning(error: unknown): never {
  if (error instanceof PhotoFault) throw badRequest(error.message)
  if (error instanceof ProcessPoolClosed || exitCause(error) !== undefined)
    throw Object.assign(unavailable('The image reader was interrupted: send the request again', 5), { cause: error })
  throw error
}

function areaOf({ exif }: PhotoFacts): Near {
  if (exif?.lat != null && exif.lon !== null) return { lat: exif.lat, lon: exif.lon, radius: DEFAULT_RADIUS }
  const message = 'is required, because the image has no place in its EXIF and tags are used in many places'
  throw invalid([{ code: 'custom', message, path: ['near'] }])
}

function lensOf({ exif, width, height }: PhotoFacts): Camera {
  if (exif?.focalLength35 != null) return cameraOf(exif.focalLength35, width, height)
  const message = 'is required, because the image has no focal length for 35 mm film in its EXIF'
  throw invalid([{ code: 'custom', message, path: ['camera'] }])
}

const unknown = (reason: string, { tags }: PhotoFacts): Localization => ({
  state: 'unknown',
  reason,
  geoPose: null,
  covariance: null,
  tags: tags.map(({ id }) => ({ aprilTagId: id, gcpId: null, reprojectionError: null })),
  candidates: [],
  proof: null,
})

/** The tags of an image that surveyed points carry, with each of these points. */
function seenIn({ tags }: PhotoFacts, camera: Camera, points: SurveyedTag[], pixelError: number) {
  const frame = frameAt(points[0]!)
  const gcpIds = new Map<Sighting, number>()
  const seen = tags.flatMap(({ id, corners }) => {
    const ends = corners.map((corner) => directionOf(camera, corner))
    if (!ends.every((end) => end !== undefined)) return []
    // A lens bends the diagonals: in the image they meet beside the centre.
    const direction = centreOfSquare(ends)?.at
    if (!direction) return []
    const bearers = points.filter(({ aprilTagId }) => aprilTagId === id)
    // Where the tag is used in several places, all must have corners: otherwise the one that has them would always fit.
    const areKnown = bearers.every(({ tagSize, tagPose }) => tagSize !== null && tagPose !== null)
    const sightings = bearers.map((point) => {
      const sighting: Sighting = {
        point: inFrame(frame, point),
        seen: direction,
        horizontal: point.accuracyH ?? HORIZONTAL,
        vertical: point.accuracyV ?? VERTICAL,
        angular: pixelError / camera.fx,
        square: areKnown ? squareOf(point, ends, frame) : undefined,
      }
      gcpIds.set(sighting, point.gcpId)
      return sighting
    })
    const side = Math.max(...ends.map((end, at) => Math.hypot(...apart(end, ends[(at + 1) % 4]!))))
    return sightings.length > 0 ? [{ id, centre: pixelOf(camera, [...direction, 1]), side, sightings }] : []
  })
  return { frame, gcpIds, seen }
}

const apart = (a: readonly [number, number], b: readonly [number, number]) => [b[0] - a[0], b[1] - a[1]]

const squareOf = (point: SurveyedTag, seen: [number, number][], frame: Frame): Square => ({
  offsets: cornersOf(point.tagSize!, point.tagPose!, point, frame),
  seen,
  turned: point.tagPose!.accuracy * RADIANS,
  scaled: SCALED,
})

function answerOf(facts: PhotoFacts, camera: Camera, points: SurveyedTag[], pixelError: number): Localization {
  const { frame, gcpIds, seen } = seenIn(facts, camera, points, pixelError)
  const found = located(seen satisfies SeenTag[])
  if (typeof found === 'string') return unknown(REASONS[found], facts)
  const shown = (one: Located) => {
    const tags = seen.map(({ id, centre }, at) => {
      const sighting = one.used[at]
      return {
        aprilTagId: id,
        gcpId: sighting ? gcpIds.get(sighting)! : null,
        reprojectionError: sighting ? errorOf(one, sighting, camera, centre) : null,
      }
    })
    const others = facts.tags.filter(({ id }) => !seen.some((tag) => tag.id === id))
    const unseen = others.map(({ id }) => ({ aprilTagId: id, gcpId: null, reprojectionError: null }))
    return { ...geoPoseOf(frame, one.pose, one.covariance), tags: [...tags, ...unseen] }
  }
  const [best, ...candidates] = found.map(shown)
  return {
    state: candidates.length > 0 ? 'ambiguous' : 'found',
    reason: candidates.length > 0 ? ambiguityOf(seen.length) : null,
    ...best!,
    candidates,
    proof: null,
  }
}

const ambiguityOf = (tags: number): string =>
  tags < 3
    ? 'Other poses fit as well: show another tag, or come closer to this one and look at it from its side'
    : 'Other poses fit as well: show a fourth tag'

function errorOf({ pose }: Located, { point }: Sighting, camera: Camera, centre: readonly [number, number]): number {
  const [x, y] = pixelOf(camera, sum(times(pose.rotation, point), pose.translation))
  return Math.round(Math.hypot(x - centre[0], y - centre[1]) * 100) / 100
}
