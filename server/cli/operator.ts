import { fileURLToPath } from 'node:url'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { createApp } from '../app.ts'
import { readConfig } from '../platform/config.ts'
import { readSecret } from '../platform/credentials/secrets.ts'
import { openBoxDatabase } from '../platform/database/box-database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { createLog } from '../platform/log.ts'

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

export type App = Awaited<ReturnType<typeof createApp>>

/** Does something with the service's parts on its database, beside a running one if there is one. */
export async function withApp(work: (app: App) => Promise<void>) {
  const config = readConfig(process.env)
  const secret = readSecret(config.CAIRN_SECRET, config.CAIRN_DATA_DIR)
  const box = config.CAIRN_DATABASE_URL ? undefined : await openBoxDatabase({ dataDir: config.CAIRN_DATA_DIR })
  try {
    const databaseUrl = config.CAIRN_DATABASE_URL ?? box!.url
    await migrate(databaseUrl, fileURLToPath(new URL('../migrations', import.meta.url)))
    // Commands that do without the service need not wait until all of it is loaded.
    const service = await import('../app.ts')
    const app = await service.createApp({ config, databaseUrl, secret, log: createLog('silent') })
    await work(app).finally(app.close)
  } finally {
    if (box?.startedHere) await box.stop()
  }
}
