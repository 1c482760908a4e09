import { z } from 'zod'
import { queryBoolean } from '../../../platform/schema.ts'
import { TypeQuery } from '../schema.ts'

export const MAX_FILE_BYTES = 8 * 1024 * 1024
export const MAX_ROWS = 20_000

const format = z.enum(['cairn', 'playfab', 'nakama', 'talo'])

export const ImportQuery = TypeQuery.extend({
  dryRun: queryBoolean.default(false).describe('Reads and checks everything, writes nothing'),
  createPlayers: queryBoolean
    .default(true)
    .describe('Creates a player for each name that the app does not have; `false`: such rows fail'),
  format: format.optional().describe('The format of the file. By default it is recognized'),
  board: z
    .string()
    .max(255)
    .optional()
    .describe('The board to import, if the file has several: rows of others are skipped'),
})
export type ImportQuery = z.infer<typeof ImportQuery>

export const ImportForm = z
  .object({ file: z.string().meta({ format: 'binary' }) })
  .meta({ id: 'LeaderboardImportForm' })

export const ImportedRow = z.object({
  row: z.int().min(1).describe('Number of the row, from 1, without the header'),
  line: z.int().nullable().describe('Line on which the row begins; `null` in JSON'),
  player: z.string().nullable().describe('The name, or else the ID, of the player as in the file'),
  status: z.enum(['skipped', 'failed']),
  code: z.string().describe('The reason, for programs'),
  message: z.string().describe('The reason, and what to change'),
})
export type ImportedRow = z.infer<typeof ImportedRow>

const count = z.int().min(0)

export const ImportReport = z
  .object({
    dryRun: z.boolean(),
    format,
    gameSessionId: z
      .uuid()
      .nullable()
      .describe('The game session that holds the imported scores; `null` if none was written'),
    miniGameTypeId: z.uuid().nullable().describe('`null` for the default game'),
    summary: z.object({
      rows: count.describe('Rows of the file: `applied` + `skipped` + `failed`'),
      applied: count.describe('Rows whose score was written; in a dry run, would be'),
      skipped: count,
      failed: count,
      playersCreated: count.describe('New players; in a dry run, those that would be created'),
    }),
    notices: z.array(z.string()).describe('What the file contains that cannot be imported'),
    rows: z.array(ImportedRow).describe('Rows that were not applied, in the order of the file'),
  })
  .meta({ id: 'LeaderboardImportReport' })
export type ImportReport = z.infer<typeof ImportReport>
