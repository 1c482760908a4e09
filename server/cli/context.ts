import { fileURLToPath } from 'node:url'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { createApp } from '../app.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { readSecret } from '../platform/credentials/secrets.ts'
import { openEmbeddedDatabase } from '../platform/database/embedded/embedded-database.ts'
import { migrate } from '../platform/database/migrate/migrate.ts'
import { createLog } from '../platform/logging/log.ts'
import { release } from '../platform/process/release.ts'
import { openDataFolder } from '../platform/storage/folder/data-folder.ts'

/** Wrong words on the command line: exit code 2. */
export class UsageError extends Error {}

/** Who acts, in the audit log. */
export const OPERATOR = { actor: 'operator', address: null }

/** The options and the words beside them. @throws UsageError */
export function readOptions<Options extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** For commands that take options alone. @throws UsageError */
export function assertNoArguments(words: string[]): void {
  if (words.length > 0) throw new UsageError(`"${words[0]}" is one word too many`)
}

export type App = Awaited<ReturnType<typeof createApp>>

export const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

/** Does something with the database that the settings name; the box's own is started for it if it does not run. */
export async function withDatabase<T>(config: Config, work: (databaseUrl: string) => Promise<T>): Promise<T> {
  openDataFolder(config.CAIRN_DATA_DIR, await release())
  if (config.CAIRN_DATABASE_URL) return work(config.CAIRN_DATABASE_URL)
  const box = await openEmbeddedDatabase({ dataDir: config.CAIRN_DATA_DIR })
  try {
    return await work(box.url)
  } finally {
    if (box.startedHere) await box.stop()
  }
}

/** Does something with the service's parts on its database, beside a running one if there is one. */
export async function withApp(work: (app: App) => Promise<void>) {
  const config = readConfig(process.env)
  openDataFolder(config.CAIRN_DATA_DIR, await release())
  const secret = readSecret(config.CAIRN_SECRET, config.CAIRN_DATA_DIR)
  await withDatabase(config, async (databaseUrl) => {
    await migrate(databaseUrl, MIGRATIONS)
    // Commands that do without the service need not wait until all of it is loaded.
    const service = await import('../app.ts')
    const app = await service.createApp({ config, databaseUrl, secret, log: createLog('silent') })
    // Addresses that a command makes are those of the service, which listens where the settings say.
    app.listensOn(`http://${config.CAIRN_HOST}:${config.CAIRN_PORT}`)
    await work(app).finally(app.close)
  })
}
