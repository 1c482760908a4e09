import { z } from 'zod'
import { timestamp } from '../../platform/schema.ts'

export const Backups = z
  .object({
    state: z
      .enum(['off', 'pending', 'ok', 'failed', 'late'])
      .describe(
        '`off`: no interval is set. `pending`: the first backup is due. `failed`: the last attempt failed. `late`: the last successful backup is older than two intervals, whatever the last attempt did',
      ),
    everySeconds: z.int().nullable().describe('The interval; `null` if backups are off'),
    place: z.string().nullable().describe('The folder or bucket; `null` if backups are off'),
    lastSuccess: z
      .object({
        at: timestamp.describe('When it was complete and verified'),
        bytes: z.int(),
        seconds: z.number().describe('How long it took, with its verification'),
        place: z.string().describe('The file, or the object in the bucket'),
      })
      .meta({ id: 'BoxBackup' })
      .nullable(),
    lastFailure: z
      .object({ at: timestamp, message: z.string().describe('What happened, and what to change') })
      .meta({ id: 'BoxBackupFailure' })
      .nullable(),
    runningSince: timestamp.nullable().describe('When the backup under way started; `null` if none is'),
    nextAt: timestamp.nullable().describe('When the next backup is due; `null` if backups are off'),
  })
  .meta({ id: 'BoxBackups' })
export type Backups = z.infer<typeof Backups>
