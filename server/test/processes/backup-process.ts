import { createBackups } from '../../modules/backups/index.ts'
import { knownInSnapshot } from '../../modules/files/objects/object-inventory-store.ts'
import { readConfig } from '../../platform/config.ts'
import { createLog } from '../../platform/logging/log.ts'
import { createPlatform } from '../../platform/platform.ts'
import type { Service } from '../service.ts'

/** The scheduled backups of another process on the service's database and storage, with a clock of its own. */
export function backupProcess(service: Service, settings: Record<string, string>) {
  const clock = { at: Date.now(), now: () => clock.at, learn: () => {} }
  const config = readConfig(
    { CAIRN_DATA_DIR: service.folder, CAIRN_DISK_RESERVE_BYTES: '0', ...service.storage, ...settings },
    '',
  )
  const { databaseUrl } = service
  const secret = 'a secret of the tests, long enough'
  const platform = createPlatform({ config, databaseUrl, secret, log: createLog('silent'), clock })
  const backups = createBackups(platform, { secret, known: knownInSnapshot })
  return {
    clock,
    look: backups.look,
    state: backups.state,
    metrics: platform.metrics.text,
    stop: backups.stop,
    async close() {
      await backups.stop()
      await platform.close()
    },
  }
}
