import type { Config } from '../../platform/config.ts'
import type { DatabaseDiskReserve } from '../../platform/database/database-disk.ts'
import { checkHealth } from '../../platform/health-check.ts'
import type { Disk, Health, Part } from './schema.ts'
import type { BoxStore } from './store.ts'

/** State of a part that is not checked: it is not in use, or its state is already known. */
type Known = { state: 'ok' | 'failed' | 'off'; detail: string | null }
/** How to check a part: a function (which may return details), or a known state. */
export type Look = { ask: () => Promise<string | null> } | Known

type Deps = {
  store: BoxStore
  config: Config
  version: () => Promise<string>
  startedAt: string
  publicUrl: () => string
  /** The check of every part except the database. */
  looks: () => Record<Exclude<Part['name'], 'database'>, Look>
  /** Free and total bytes of the disk. */
  disk: () => Promise<{ free: number; total: number }>
  databaseDiskReserve: Pick<DatabaseDiskReserve, 'free' | 'reserve'>
  backups: () => Promise<Health['backups']>
}

export type BoxHealth = ReturnType<typeof boxHealth>

/** The health of the installation, as seen by the process that responds. */
export function boxHealth({
  store,
  config,
  version,
  startedAt,
  publicUrl,
  looks,
  disk,
  databaseDiskReserve,
  backups,
}: Deps) {
  const partOf = async (name: Part['name'], look: Look): Promise<Part> => {
    if (!('ask' in look)) return { name, ms: null, ...look }
    const { value, fault, ms } = await checkHealth(look.ask)
    return {
      name,
      state: fault ? 'failed' : 'ok',
      ms: Math.round(ms * 10) / 10,
      detail: fault?.message ?? value ?? null,
    }
  }

  const diskNow = (): Promise<Disk | null> =>
    disk().then(
      ({ free, total }) => ({ freeBytes: free, totalBytes: total, reserveBytes: config.CAIRN_DISK_RESERVE_BYTES }),
      () => null,
    )

  return async (): Promise<Health> => {
    const database: Look = { ask: () => store.ping().then(() => null) }
    const all = Object.entries({ database, ...looks() }) as [Part['name'], Look][]
    const [parts, space, free, size, processes, queues, webhooks, backupState, release] = await Promise.all([
      Promise.all(all.map(([name, look]) => partOf(name, look))),
      diskNow(),
      databaseDiskReserve.free(),
      store.size(),
      store.processes(),
      store.queues(),
      store.webhooks(),
      backups(),
      version(),
    ])
    return {
      version: release,
      startedAt,
      role: config.CAIRN_ROLE,
      publicUrl: publicUrl(),
      parts,
      disk: space,
      database: { ...size, freeBytes: free ?? null, reserveBytes: databaseDiskReserve.reserve },
      processes,
      queues,
      webhooks,
      backups: backupState,
    }
  }
}
