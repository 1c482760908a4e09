import { realRoots } from './roots.ts'
import {
  cross,
  difference,
  dot,
  length,
  type Matrix,
  product,
  scaled,
  times,
  transposed,
  unit,
  type Vector,
} from './vectors.ts'

/** Where a camera is: a point p of the world is at `rotation · p + translation` in front of it. */
export type CameraPose = { rotation: Matrix; translation: Vector }

type Three = readonly [Vector, Vector, Vector]

/**
 * The poses, at most four, in which a camera sees three points in these directions: the distances by J. A. Grunert's quartic
 * (R. Haralick et al., Review and Analysis of Solutions of the Three Point Perspective Pose Estimation Problem, 1994, eq. 9),
 * then the rotation between the two triangles. None if the points are in a line.
 */
export function posesOfThree(points: Three, directions: Three): CameraPose[] {
  const [j1, j2, j3] = directions.map(unit) as unknown as Three
  const [a2, b2, c2] = [square(points[1], points[2]), square(points[0], points[2]), square(points[0], points[1])]
  const [cosA, cosB, cosC] = [dot(j2, j3), dot(j1, j3), dot(j1, j2)]
  const q = (a2 - c2) / b2
  const quartic = [
    (1 + q) ** 2 - ((4 * a2) / b2) * cosC ** 2,
    4 * (-q * (1 + q) * cosB + ((2 * a2) / b2) * cosC ** 2 * cosB - (1 - (a2 + c2) / b2) * cosA * cosC),
    2 *
      (q ** 2 -
        1 +
        2 * q ** 2 * cosB ** 2 +
        ((2 * (b2 - c2)) / b2) * cosA ** 2 -
        ((4 * (a2 + c2)) / b2) * cosA * cosB * cosC +
        ((2 * (b2 - a2)) / b2) * cosC ** 2),
    4 * (q * (1 - q) * cosB - (1 - (a2 + c2) / b2) * cosA * cosC + ((2 * c2) / b2) * cosA ** 2 * cosB),
    (q - 1) ** 2 - ((4 * c2) / b2) * cosA ** 2,
  ]
  return realRoots(quartic).flatMap((v) => {
    const u = ((q - 1) * v * v - 2 * q * cosB * v + 1 + q) / (2 * (cosC - v * cosA))
    const s1 = Math.sqrt(b2 / (1 + v * v - 2 * v * cosB))
    if (!(u > 0 && v > 0 && Number.isFinite(s1) && Number.isFinite(u))) return []
    const seen: Three = [scaled(j1, s1), scaled(j2, u * s1), scaled(j3, v * s1)]
    const pose = between(points, seen)
    return pose ? [pose] : []
  })
}

const square = (a: Vector, b: Vector): number => length(difference(a, b)) ** 2

/** The motion that brings one triangle to another of the same shape. */
function between(from: Three, to: Three): CameraPose | undefined {
  const [frame, target] = [frameOf(from), frameOf(to)]
  if (!frame || !target) return undefined
  const rotation = product(transposed(target), frame)
  return { rotation, translation: difference(to[0], times(rotation, from[0])) }
}

/** Axes along a side, in the plane of the triangle, and off it. */
function frameOf([a, b, c]: Three): Matrix | undefined {
  const [side, other] = [difference(b, a), difference(c, a)]
  const normal = cross(side, other)
  if (length(normal) < 1e-9 * length(side) * length(other)) return undefined
  const [x, z] = [unit(side), unit(normal)]
  return [x, cross(z, x), z]
}
