import { expect, test } from 'vitest'
import { headingOfYaw, windOf } from '../../src/pages/map/selection/heading.ts'

test.each([
  [0, 90, 2],
  [90, 0, 0],
  [180, 270, 6],
  [-90, 180, 4],
  [30, 60, 1],
  [-269.9, 359.9, 0],
  [450, 0, 0],
  [68, 22, 0],
  [67, 23, 1],
])(
  'a yaw of %d° counter-clockwise from east is a heading of %d° from north, in wind %d of eight',
  (yaw, heading, wind) => {
    expect(headingOfYaw(yaw)).toBeCloseTo(heading, 9)
    expect(windOf(headingOfYaw(yaw))).toBe(wind)
  },
)
