import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { poseIn, quaternionOf } from './pose.ts'
import type { Quaternion } from './schema.ts'

type Vector = [number, number, number]
const angle = fc.double({ min: -720, max: 720, noNaN: true })
const position = { lat: 1, lon: 2, h: 3 }
/** The sine of 45°. */
const eighth = Math.round(Math.SQRT1_2 * 1e8) / 1e8
const rounded = ({ x, y, z, w }: Quaternion) => [x, y, z, w].map((n) => Math.round(n * 1e8) / 1e8 + 0)

/** A vector rotated by a quaternion, by the formula v + 2w(q × v) + 2q × (q × v). */
function turn({ x, y, z, w }: Quaternion, [a, b, c]: Vector): Vector {
  const [p, q, r] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)]
  return [a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p]
}
/** Right-handed rotation matrices about one axis each, in degrees. */
function about(axis: 0 | 1 | 2, degrees: number, vector: Vector): Vector {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const [i, j] = [(axis + 1) % 3, (axis + 2) % 3]
  const turned: Vector = [...vector]
  turned[i] = cos * vector[i]! - sin * vector[j]!
  turned[j] = sin * vector[i]! + cos * vector[j]!
  return turned
}
const close = (one: Vector, other: Vector) => one.every((n, i) => Math.abs(n - other[i]!) < 1e-9)

describe('a pose as a quaternion', () => {
  test.each([
    [{ yaw: 0, pitch: 0, roll: 0 }, [0, 0, 0, 1]],
    [{ yaw: 90, pitch: 0, roll: 0 }, [0, 0, eighth, eighth]],
    [{ yaw: 0, pitch: 30, roll: 0 }, [0, 0.25881905, 0, 0.96592583]],
    [{ yaw: 0, pitch: 0, roll: 45 }, [0.38268343, 0, 0, 0.92387953]],
    [{ yaw: 30, pitch: 20, roll: 10 }, [0.03813458, 0.18930786, 0.23929834, 0.95154852]],
    [{ yaw: 390, pitch: 20, roll: 370 }, [0.03813458, 0.18930786, 0.23929834, 0.95154852]],
  ])('%o', (angles, expected) => {
    expect(rounded(quaternionOf(angles))).toEqual(expected)
  })

  test('rotates about z, then the rotated y, then the rotated x', () => {
    fc.assert(
      fc.property(angle, angle, angle, (yaw, pitch, roll) => {
        for (const axis of [[1, 0, 0] as Vector, [0, 1, 0] as Vector, [0, 0, 1] as Vector]) {
          const turned = about(2, yaw, about(1, pitch, about(0, roll, axis)))
          expect(close(turn(quaternionOf({ yaw, pitch, roll }), axis), turned)).toBe(true)
        }
      }),
    )
  })

  test('rotates the same way in East-Up-South', () => {
    const eus = ([east, north, up]: Vector): Vector => [east, up, -north]
    fc.assert(
      fc.property(angle, angle, angle, (yaw, pitch, roll) => {
        const angles = { yaw, pitch, roll }
        const { quaternion } = poseIn('eus', { position, angles })
        for (const axis of [[1, 2, 3] as Vector, [-3, 1, 2] as Vector])
          expect(close(turn(quaternion, eus(axis)), eus(turn(quaternionOf(angles), axis)))).toBe(true)
      }),
    )
    expect(rounded(poseIn('eus', { position, angles: { yaw: 90, pitch: 0, roll: 0 } }).quaternion)).toEqual([
      0,
      eighth,
      0,
      eighth,
    ])
  })

  test('rotates the same way in East-Up-North, which is left-handed: same formula, other signs', () => {
    const eun = ([east, north, up]: Vector): Vector => [east, up, north]
    fc.assert(
      fc.property(angle, angle, angle, (yaw, pitch, roll) => {
        const angles = { yaw, pitch, roll }
        const { quaternion } = poseIn('eun', { position, angles })
        for (const axis of [[1, 2, 3] as Vector, [-3, 1, 2] as Vector])
          expect(close(turn(quaternion, eun(axis)), eun(turn(quaternionOf(angles), axis)))).toBe(true)
      }),
    )
    expect(rounded(poseIn('eun', { position, angles: { yaw: 90, pitch: 0, roll: 0 } }).quaternion)).toEqual([
      0,
      -eighth,
      0,
      eighth,
    ])
  })

  test('keeps the position, and is a unit quaternion with w ≥ 0', () => {
    fc.assert(
      fc.property(angle, angle, angle, (yaw, pitch, roll) => {
        const pose = poseIn('quaternion', { position, angles: { yaw, pitch, roll } })
        expect(pose).toMatchObject({ frame: 'ENU', position })
        const { x, y, z, w } = pose.quaternion
        expect(Math.hypot(x, y, z, w)).toBeCloseTo(1, 12)
        expect(w).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
