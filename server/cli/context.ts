import { fileURLToPath } from 'node:url'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { createApp } from '../app.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { readSecret } from '../platform/credentials/secrets.ts'
import { openEmbeddedDatabase } from '../platform/database/embedded/embedded-database.ts'
import { migrate } from '../platform/database/migrate/migrate.ts'
import { createLog } from '../platform/logging/log.ts'
import { ensureDir } from '../platform/storage/folder/ensure-dir.ts'

/** An invalid command line: exit code 2. */
export class UsageError extends Error {}

/** The actor in the audit log. */
export const OPERATOR = { actor: 'operator', address: null }

/** Parses options and arguments. @throws UsageError */
export function readOptions<Options extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** Parses options of commands without arguments. @throws UsageError */
export function assertNoArguments(words: string[]): void {
  if (words.length > 0) throw new UsageError(`"${words[0]}" is an unexpected argument`)
}

export type App = Awaited<ReturnType<typeof createApp>>

export const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

/** Runs work with the configured database; starts the embedded one if it does not run. */
export async function withDatabase<T>(config: Config, work: (databaseUrl: string) => Promise<T>): Promise<T> {
  if (config.CAIRN_DATABASE_URL) return work(config.CAIRN_DATABASE_URL)
  const box = await openEmbeddedDatabase({ dataDir: config.CAIRN_DATA_DIR })
  try {
    return await work(box.url)
  } finally {
    if (box.startedHere) await box.stop()
  }
}

/** Runs work with the service's modules on its database, beside a running service if there is one. */
export async function withApp(work: (app: App) => Promise<void>) {
  const config = readConfig(process.env)
  ensureDir(config.CAIRN_DATA_DIR)
  const secret = readSecret(config.CAIRN_SECRET, config.CAIRN_DATA_DIR)
  await withDatabase(config, async (databaseUrl) => {
    await migrate(databaseUrl, MIGRATIONS)
    // Loaded on demand: commands without it start faster.
    const service = await import('../app.ts')
    const app = await service.createApp({ config, databaseUrl, secret, log: createLog('silent') })
    // URLs that a command returns are those of the service, by the settings.
    app.listensOn(`http://${config.CAIRN_HOST}:${config.CAIRN_PORT}`)
    await work(app).finally(app.close)
  })
}
