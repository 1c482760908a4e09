import { z } from 'zod'
import { queryNumber } from '../../../platform/schema.ts'
import { MAX_TAG } from '../../gcps/tags/schema.ts'

const IDS = /^\d{1,3}(-\d{1,3})?(,\d{1,3}(-\d{1,3})?)*$/

/** `0-5` or `0,3,7-9`: each ID once, in the order given. */
const tagIds = z
  .string()
  .max(255)
  .regex(IDS, { error: 'must be IDs such as 0-5 or 0,3,7-9', abort: true })
  .transform((text) => {
    const ranges = text.split(',').map((range) => range.split('-').map(Number))
    const all = ranges.flatMap(([first, last = first]) =>
      Array.from({ length: Math.max(0, last! - first! + 1) }, (_, at) => first! + at),
    )
    return [...new Set(all)]
  })
  .refine(
    (ids) => ids.length > 0 && ids.every((id) => id <= MAX_TAG),
    `must be IDs from 0 to ${MAX_TAG}, the lower one first`,
  )

const Paper = z.enum(['a4', 'a3', 'letter'])
export type Paper = z.infer<typeof Paper>

/** Millimetres of a side of the black border. */
const tagMillimetres = z.number().min(10).max(1000)

export const SheetQuery = z.object({
  family: z.enum(['tag36h11']).default('tag36h11').describe('The family of the tags'),
  ids: tagIds.meta({ type: 'string', description: 'IDs such as `0-5` or `0,3,7-9`', example: '0-5' }),
  size: queryNumber
    .pipe(tagMillimetres)
    .meta({ type: 'number', minimum: 10, maximum: 1000 })
    .describe('Millimetres of a side of the black border; the white edge adds a quarter'),
  paper: Paper.default('a4').describe('The paper to print on'),
})
