import { z } from 'zod'

/** The largest metadata of a score, as JSON in UTF-8. */
const MAX_METADATA_BYTES = 1024

/** What a game stores with a score. */
export const ScoreMetadata = z
  .record(z.string(), z.unknown())
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES, {
    error: `must have at most ${MAX_METADATA_BYTES} bytes as JSON`,
  })
  .describe(
    'A JSON object of up to 1 KiB that is stored with the score and shown with its entries. The rule `requireMetadata` asks for its members',
  )
  .meta({ id: 'ScoreMetadata' })
export type ScoreMetadata = z.infer<typeof ScoreMetadata>
