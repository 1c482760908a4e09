import { z } from 'zod'
import type { Posted } from '../../../platform/outbound/guarded-post.ts'

/** Text of the database cannot hold U+0000. */
const note = z
  .string()
  .max(500)
  .transform((text) => text.replaceAll('\0', '\uFFFD'))
  .nullish()

/** What a hook decides about one score. Members that it adds are ignored. */
const Decision = z.discriminatedUnion('decision', [
  z.object({ decision: z.literal('accept') }),
  z.object({ decision: z.literal('change'), score: z.number() }),
  z.object({ decision: z.literal('hold'), note }),
  z.object({ decision: z.literal('refuse'), note }),
])
export type Decision = z.infer<typeof Decision>

const Decisions = z.object({ decisions: z.array(Decision) })

/** The response to a question cannot be used. The message says what to change in the receiver. */
export class UnusableAnswer extends Error {}

/** Maximum size of a response body. */
export const ANSWER_BYTES = 64 * 1024
const UNFINISHED = {
  late: 'the response did not end in time',
  cut: 'the response was cut off',
  long: `the response is longer than ${ANSWER_BYTES / 1024} KiB`,
}

/** The decisions of a response, one for each score in their order. @throws UnusableAnswer */
export function decisionsIn({ status, text, end }: Omit<Posted, 'headers'>, scores: number): Decision[] {
  if (status < 200 || status > 299) throw new UnusableAnswer(`the response has status ${status}`)
  if (end !== 'whole') throw new UnusableAnswer(UNFINISHED[end])
  const { success, data } = Decisions.safeParse(jsonIn(text))
  if (!success)
    throw new UnusableAnswer(
      'the response is not {"decisions": […]} with "accept", "change" and a score, "hold" or "refuse" in each',
    )
  if (data.decisions.length !== scores)
    throw new UnusableAnswer(`the response has ${data.decisions.length} decisions for ${scores} scores`)
  return data.decisions
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
