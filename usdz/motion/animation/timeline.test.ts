import { expect, test } from 'vitest'
import { stepDuration } from './keyframe-reduction.ts'
import { joinClips, layOutClips } from './timeline.ts'

test('a clip holds its last value until the next one begins', () => {
  const clips = [
    { times: [0, 1], values: [[0], [5]] },
    { times: [0], values: [[-3]] },
  ]
  const curve = joinClips(clips, layOutClips([1, 0]), [0], false, 'node "Flag"')
  expect(curve).toMatchObject({ times: [0, 60, 61 - stepDuration * 60, 61], values: [0, 5, 5, -3] })
})
