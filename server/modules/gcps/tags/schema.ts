import { z } from 'zod'

/** The largest ID of the family tag36h11 that is used; the smallest is 0. */
export const MAX_TAG = 50
export const aprilTagId = z.int().min(0).max(MAX_TAG).describe('An ID of the family tag36h11')

export const TAG_SIZE =
  'Length in metres of a side of the black border of the tag, without the white edge around it. With `tagPose`, a photo of this tag alone locates a camera. Its standard deviation is taken as 0.5 %'
export const tagSize = z.number().min(0.01).max(10, { error: 'must be in metres, at most 10: 160 mm are 0.16' })

const placement = {
  heading: z
    .number()
    .min(-360)
    .max(360)
    .describe('The direction in which you look when you face the upright tag: degrees from true north, clockwise'),
  tilt: z
    .number()
    .min(0)
    .max(180)
    .describe('How far the tag is raised about its bottom edge: 0 flat on the ground, 90 on a wall, 180 on a ceiling'),
}
const turn = z
  .number()
  .min(-360)
  .max(360)
  .describe('How far it is then turned in its plane, clockwise as you see it; 0: its bottom edge is level')
const accuracy = z.number().min(0.01).max(20)
const ACCURACY = 'Standard deviation of the orientation about each axis, in degrees'

/** How the tag of a point is placed. */
export const TagPose = z
  .object({ ...placement, turn, accuracy: accuracy.describe(ACCURACY) })
  .describe('How the tag is placed. Of a tag flat on the ground, the heading is where its top edge is')
  .meta({ id: 'TagPose' })
export type TagPose = z.infer<typeof TagPose>

export const NewTagPose = z
  .object({ ...placement, turn: turn.default(0), accuracy: accuracy.default(1).describe(ACCURACY) })
  .meta({ id: 'NewTagPose' })
