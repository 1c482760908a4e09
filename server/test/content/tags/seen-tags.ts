import { frameAt } from '../../../modules/localization/pose/frames.ts'
import type { SeenTag, Sighting } from '../../../modules/localization/pose/sighting.ts'
import { cornersOf } from '../../../modules/localization/pose/tag-plane.ts'
import {
  cross,
  difference,
  length,
  type Matrix,
  rotationBy,
  scaled,
  sum,
  times,
  unit,
  type Vector,
} from '../../../modules/localization/pose/vectors.ts'
import { randomOf } from '../../attack/random.ts'

const PLACE = { lat: 47, lon: 8, h: 400 }
const FRAME = frameAt(PLACE)
const PIXEL = 0.2 / 3000
const [HORIZONTAL, VERTICAL, TURNED, SCALED] = [0.01, 0.015, 0.01, 0.005]

export type Scene = {
  /** Metres: of a side of the tags, and from the camera to the first one. */
  size?: number
  distance?: readonly [number, number]
  /** The first and every second one have known corners. */
  tags?: number
  /** How large the errors of the pixels and of the survey are, as a share of what is usual. */
  pixel?: number
  survey?: number
}

/** Tags that are surveyed and seen with errors, and the camera that faces them: from up to 60° beside the first one. */
export function sceneOf(seed: number, scene: Scene = {}) {
  const { size = 0.3, distance = [2, 6], tags: count = 1, pixel = 1, survey = 1 } = scene
  const { fraction, normal } = randomOf(seed)
  const placed = () => ({ heading: fraction() * 360, tilt: fraction() * 90, turn: fraction() * 360, accuracy: 1 })
  const first = cornersOf(size, placed(), PLACE, FRAME)
  const front = unit(cross(difference(first[1]!, first[0]!), difference(first[3]!, first[0]!)))
  const beside = unit(cross(front, [fraction() - 0.5, fraction() - 0.5, fraction() - 0.5]))
  const away = distance[0] + fraction() * (distance[1] - distance[0])
  const centre = scaled(times(rotationBy(scaled(beside, (fraction() * Math.PI) / 3)), front), away)
  const forward = unit(difference([0.1 * fraction(), 0.1 * fraction(), 0], centre))
  const right = unit(cross(forward, unit([fraction() - 0.5, fraction() - 0.5, 0.8])))
  const rotation: Matrix = [right, cross(forward, right), forward]
  const seenAt = (at: Vector) => {
    const [x, y, z] = times(rotation, difference(at, centre))
    return [x / z + normal() * pixel * PIXEL, y / z + normal() * pixel * PIXEL] as const
  }
  const tags = Array.from({ length: count }, (_, tag): SeenTag => {
    const at: Vector =
      tag === 0
        ? [0, 0, 0]
        : [(fraction() - 0.5) * away * 0.5, (fraction() - 0.5) * away * 0.5, (fraction() - 0.5) * 0.5]
    const offsets = tag === 0 ? first : cornersOf(size, placed(), PLACE, FRAME)
    const accuracy = { horizontal: survey * HORIZONTAL, vertical: survey * VERTICAL, angular: PIXEL }
    const off = (deviation: number) => normal() * survey * deviation
    const point = sum(at, [off(HORIZONTAL), off(HORIZONTAL), off(VERTICAL)])
    const turned = rotationBy([off(TURNED), off(TURNED), off(TURNED)])
    const larger = 1 + off(SCALED)
    const square = {
      offsets: offsets.map((offset) => scaled(times(turned, offset), larger)),
      seen: offsets.map((offset) => seenAt(sum(at, offset))),
      turned: survey * TURNED,
      scaled: survey * SCALED,
    }
    const sighting: Sighting = { point, seen: seenAt(at), ...accuracy, ...(tag % 2 === 0 && { square }) }
    return { side: size / length(difference(at, centre)), sightings: [sighting] }
  })
  return { tags, centre }
}
