import { z } from 'zod'
import { AttributeName, AttributeValue } from '../../players/schema.ts'

/** The players whose attribute `name` is `value`. */
export type Segment = { name: string; value: string }

/** A segment in a query: `country:DE`. */
export const SegmentChoice = z
  .string()
  .transform((text, context): Segment => {
    const at = text.indexOf(':')
    const segment = { name: text.slice(0, at), value: text.slice(at + 1) }
    if (at > 0 && AttributeName.safeParse(segment.name).success && AttributeValue.safeParse(segment.value).success)
      return segment
    context.addIssue({ code: 'custom', message: 'must be the name and value of an attribute, such as country:DE' })
    return z.NEVER
  })
  .meta({ type: 'string' })
