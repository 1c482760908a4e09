import { backupsReport } from '../../modules/backups/report.ts'
import { backupStore } from '../../modules/backups/store.ts'
import { placeOf } from '../../platform/backup/places/place-of.ts'
import type { Config } from '../../platform/config.ts'
import { dedicatedClient } from '../../platform/database/locks/dedicated-client.ts'
import { readable } from '../progress.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const NAME = 'backups'

/** Whether scheduled backups can be written to their place, and how the last ones ended. */
export async function backups(config: Config, databaseUrl: string): Promise<Finding> {
  if (config.CAIRN_BACKUP_EVERY === undefined) return ok(NAME, 'not scheduled: CAIRN_BACKUP_EVERY is not set')
  const place = placeOf(config)
  try {
    await place.probe()
  } catch (error) {
    return fail(NAME, (error as Error).message, 'Check CAIRN_BACKUP_*; docs/backups.md says what each place needs')
  }
  const report = await reportOf(config, databaseUrl)
  if (!report) return ok(NAME, `written to ${place.name} from the next start on`)
  const { state, lastSuccess, lastFailure, nextAt } = report
  const last = lastSuccess
    ? `the last one of ${lastSuccess.at}, ${readable(lastSuccess.bytes)}, is ${lastSuccess.place}`
    : 'there is none yet'
  if (lastFailure && lastFailure.at > (lastSuccess?.at ?? ''))
    return fail(
      NAME,
      `failed at ${lastFailure.at}: ${lastFailure.message}; ${last}`,
      'Remove the cause: it is retried automatically',
    )
  if (state === 'late')
    return warn(NAME, `late: ${last}`, 'Start a service or a worker with CAIRN_BACKUP_EVERY; its log says what fails')
  return ok(NAME, `${last}; the next one is due at ${nextAt}`)
}

/** @returns undefined where the database has not been migrated yet */
async function reportOf(config: Config, databaseUrl: string) {
  const client = dedicatedClient(databaseUrl, 'cairn-doctor')
  await client.connect()
  try {
    const { rows } = await client.query<{ there: boolean }>(`select to_regclass('backup_state') is not null as there`)
    if (!rows[0]!.there) return undefined
    const now = Date.now()
    return backupsReport(await backupStore(client).read(), { config, place: placeOf(config), now, startedAt: now })
  } finally {
    await client.end().catch(() => {})
  }
}
