import sharp from 'sharp'
import { type Camera, directionOf, pixelOf } from '../../../modules/localization/pose/camera.ts'
import { frameAt, placeOf } from '../../../modules/localization/pose/frames.ts'
import { cornersOf, type TagPose } from '../../../modules/localization/pose/tag-plane.ts'
import {
  cross,
  difference,
  dot,
  type Matrix,
  rotationBy,
  scaled,
  sum,
  times,
  transposed,
  unit,
  type Vector,
} from '../../../modules/localization/pose/vectors.ts'
import type { Ecef } from '../../../modules/places/geodesy.ts'
import { type Random, randomOf } from '../../attack/random.ts'
import { drawScene, type Scene, type ScenePart } from './tag-scene.ts'

const [WIDTH, HEIGHT] = [640, 480]
/** Cells of the picture, a tag in each at most. */
const [COLUMNS, ROWS] = [3, 2]
/** Pixels of the shorter side of the smallest tag: 20 are found reliably. */
const LEAST_SIDE = 22
/** IDs that points may have. */
const TAGS = 51
const RADIANS = Math.PI / 180
/** Standard deviation of the size of a tag, as a share of it. */
const SCALED = 0.005
/** Standard deviations of surveys in metres, horizontally and vertically: by GNSS, as if none is stated, and by total station. */
const SURVEYS = [
  [0.02, 0.03],
  [0.003, 0.004],
] as const

type Place = { lat: number; lon: number; h: number }

/**
 * A site of one to six surveyed tags and the JPEG of a camera there, all drawn from a seed: a lens that distorts, tags tilted by
 * up to 60° at 1.5 to 12 m, blur, noise, shadows, leaves, and errors of the survey as it states them. Some tags have only their
 * centres known. @returns the photo, its camera as calibrated, where that truly was, and the points as they were surveyed
 */
export async function cameraScene(seed: number, site: Place) {
  const random = randomOf(seed)
  const { fraction, normal, pick, chance } = random
  const lens = lensOf(random)
  const [distance, tilt, count] = [1.5 * 8 ** fraction(), 60 * fraction(), pick([1, 1, 2, 2, 3, 4, 5, 6])]
  const camera = { rotation: rotationOf(random), centre: [normal(), normal(), normal()] as Vector }
  const [accuracyH, accuracyV] = pick(SURVEYS)
  const onlyCentres = count > 3 && chance(0.5)
  const cells = shuffled(random, COLUMNS * ROWS)
  const tags = Array.from({ length: count }, (_, at) => {
    const isKnown = !onlyCentres && (at === 0 || chance(0.5))
    // Each tag of a site has an ID of its own.
    const id = (seed + at * 7) % TAGS
    const tag = placedTag(random, { id, site, lens, camera, distance, tilt, cell: cells[at]! })
    const error: Vector = [normal() * accuracyH, normal() * accuracyH, normal() * accuracyV]
    const position = placeAt(site, sum(tag.at, error))
    const stated = isKnown ? { tagSize: tag.size, tagPose: tag.pose } : {}
    return { ...tag, point: { aprilTagId: tag.id, position, accuracyH, accuracyV, ...stated } }
  })
  const parts = tags.map(({ part }) => part)
  const { image } = drawScene({ width: WIDTH, height: HEIGHT, tags: parts, seed, ...weather(random, tags) })
  const raw = { width: WIDTH, height: HEIGHT, channels: 1 as const }
  const bytes = await sharp(image.pixels, { raw })
    .jpeg({ quality: 70 + random.below(26) })
    .toBuffer()
  return {
    ...{ bytes, lens, distance, tilt, accuracyH },
    camera: placeAt(site, camera.centre),
    points: tags.map(({ point }) => point),
  }
}

const placeAt = (site: Place, at: Vector): Place => {
  const frame = frameAt(site)
  return placeOf(sum(frame.origin, times(transposed(frame.axes), at)) as Ecef)
}

function lensOf({ fraction, normal }: Random): Camera {
  const focal = WIDTH * (0.7 + 0.5 * fraction())
  return {
    fx: focal,
    fy: focal * (1 + 0.003 * normal()),
    cx: (WIDTH - 1) / 2 + 8 * normal(),
    cy: (HEIGHT - 1) / 2 + 8 * normal(),
    distortion: [0.05 - 0.25 * fraction(), 0.06 * fraction(), 5e-4 * normal(), 5e-4 * normal(), 0],
  }
}

/** From the axes of the site to those of the picture: any heading, up to 60° down or 15° up, turned by some degrees. */
function rotationOf({ fraction, normal }: Random): Matrix {
  const [azimuth, down] = [2 * Math.PI * fraction(), (75 * fraction() - 15) * RADIANS]
  const forward: Vector = [Math.cos(down) * Math.sin(azimuth), Math.cos(down) * Math.cos(azimuth), -Math.sin(down)]
  const right = times(rotationBy(scaled(forward, normal() * 0.15)), unit(cross(forward, [0, 0, 1])))
  return [right, cross(forward, right), forward]
}

type Wanted = {
  id: number
  site: Place
  lens: Camera
  camera: { rotation: Matrix; centre: Vector }
  distance: number
  tilt: number
  cell: number
}

/** A tag that appears in a cell of the picture, how it is stated to be placed, and how it truly appears. */
function placedTag(random: Random, { id, site, lens, camera, distance, tilt, cell }: Wanted) {
  const { fraction, normal, pick } = random
  const pixel = [
    ((cell % COLUMNS) + 0.5 + 0.3 * (fraction() - 0.5)) * (WIDTH / COLUMNS),
    (Math.floor(cell / COLUMNS) + 0.5 + 0.3 * (fraction() - 0.5)) * (HEIGHT / ROWS),
  ] as const
  const [x, y] = directionOf(lens, pixel)!
  const ahead = scaled([x, y, 1], distance * (0.75 + 0.5 * fraction()))
  const at = sum(camera.centre, times(transposed(camera.rotation), ahead))
  const side = (LEAST_SIDE / Math.cos(tilt * RADIANS)) * 3 ** fraction()
  const size = (side * ahead[2]) / lens.fx
  const accuracy = pick([0.2, 0.5, 1, 2])
  const pose = { ...tiltedBy(random, tilt, unit(difference(camera.centre, at)), site), accuracy }
  const turned = rotationBy([normal(), normal(), normal()].map((one) => one * accuracy * RADIANS) as never)
  const larger = 1 + SCALED * normal()
  const [, , right, top] = sidesOf(pose, site).map((one) => scaled(times(turned, one), size * larger)) as Vector[]
  const part = drawn(id, lens, camera.rotation, [ahead, right!, top!])
  return { id, at, size, pose, part, pixel, side }
}

/** A random pose of a tag that looks away from a direction by about these degrees. */
function tiltedBy({ fraction }: Random, degrees: number, towards: Vector, site: Place): TagPose {
  for (;;) {
    const pose = { heading: 360 * fraction(), tilt: 120 * fraction(), turn: 360 * fraction() - 180, accuracy: 1 }
    const [, front] = sidesOf(pose, site) as [Vector, Vector]
    if (Math.abs(Math.acos(dot(front, towards)) / RADIANS - degrees) < 3) return pose
  }
}

/** Of a tag: [its centre, its front, to its right, to its top], all of length 1. */
function sidesOf(pose: TagPose, site: Place): Vector[] {
  const [a, b, , d] = cornersOf(1, pose, site, frameAt(site)) as [Vector, Vector, Vector, Vector]
  const [right, top] = [difference(b, a), difference(d, a)]
  return [[0, 0, 0], cross(right, top), right, top]
}

/** How a lens shows a tag. @param ahead, right, top: its centre before the camera, and its sides in the axes of the site */
function drawn(
  id: number,
  lens: Camera,
  rotation: Matrix,
  [ahead, toRight, toTop]: [Vector, Vector, Vector],
): ScenePart {
  const [right, top] = [times(rotation, toRight), times(rotation, toTop)]
  const front = cross(right, top)
  return {
    ...{ id, at: [0, 0], side: 1 },
    project: (u, v) => pixelOf(lens, sum(ahead, sum(scaled(right, u), scaled(top, -v)))),
    unproject(px, py) {
      const ray = directionOf(lens, [px, py])
      if (!ray) return [Number.NaN, Number.NaN]
      const towards: Vector = [...ray, 1]
      const on = difference(scaled(towards, dot(ahead, front) / dot(towards, front)), ahead)
      return [dot(on, right) / dot(right, right), -dot(on, top) / dot(top, top)]
    },
  }
}

function weather(
  { fraction, chance, pick }: Random,
  tags: readonly { pixel: readonly [number, number]; side: number }[],
): Pick<Scene, 'blur' | 'noise' | 'shadow' | 'leaves'> {
  const near = (): NonNullable<Scene['leaves']>[number] => {
    const { pixel, side } = pick(tags)
    const off = () => side * 2 * (fraction() - 0.5)
    return { at: [pixel[0] + off(), pixel[1] + off()], radius: side * (0.05 + 0.15 * fraction()) }
  }
  return {
    blur: 0.4 + 0.9 * fraction(),
    noise: 1 + 5 * fraction(),
    ...(chance(0.4) && { shadow: { x: WIDTH * fraction(), lean: fraction() - 0.5, light: 0.35 + 0.4 * fraction() } }),
    leaves: chance(0.4) ? Array.from({ length: 1 + Math.floor(4 * fraction()) }, near) : [],
  }
}

function shuffled({ below }: Random, count: number): number[] {
  const left = Array.from({ length: count }, (_, at) => at)
  return Array.from({ length: count }, () => left.splice(below(left.length), 1)[0]!)
}
