import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createApp } from './app.ts'
import { type BoxDatabase, openBoxDatabase } from './platform/box-database.ts'
import { type Config, readConfig } from './platform/config.ts'
import { createLog, type Log } from './platform/log.ts'
import { migrate } from './platform/migrate.ts'
import { readSecret } from './platform/secrets.ts'
import { holdSingleProcess } from './platform/single-process.ts'

/** How long requests are still taken after the signal, so that those under way and a load balancer's next ones are answered. */
const GRACE_MS = 1000
/** A request that takes longer than this after the signal is cut off. */
const DRAIN_MS = 10_000

/** configuration → database → migrations → the right to be the only process → app → listen. */
async function serve() {
  const config = readConfig(process.env)
  const log = createLog(config.CAIRN_LOG_LEVEL)
  const secret = readSecret(config.CAIRN_SECRET, config.CAIRN_DATA_DIR)
  const box = config.CAIRN_DATABASE_URL ? undefined : await openBoxDatabase({ dataDir: config.CAIRN_DATA_DIR })
  try {
    await serveOn(box, { config, log, secret })
  } catch (error) {
    if (box?.startedHere) await box.stop()
    throw error
  }
}

async function serveOn(
  box: BoxDatabase | undefined,
  { config, log, secret }: { config: Config; log: Log; secret: string },
) {
  const databaseUrl = config.CAIRN_DATABASE_URL ?? box!.url
  const release = await holdSingleProcess(databaseUrl, (sentence) => {
    log.fatal(sentence)
    process.exit(1)
  })
  const applied = await migrate(databaseUrl, fileURLToPath(new URL('./migrations', import.meta.url)))
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  const unwatch = box?.watch((sentence) => log.error(sentence))
  const app = await createApp({ config, databaseUrl, secret, log })

  let stopping = false
  const stop = async (why: string) => {
    if (stopping) return
    stopping = true
    log.info({ why }, 'stopping')
    const late = setTimeout(() => {
      log.fatal('some requests did not end in time')
      process.exit(1)
    }, DRAIN_MS)
    app.drain()
    await sleep(GRACE_MS)
    await app.stop()
    await release()
    unwatch?.()
    await box?.stop()
    clearTimeout(late)
    process.exit(0)
  }
  // npm passes a signal on that the group already got: a second one must not end the process in the middle.
  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))
  stopWithNpm(() => void stop('npm ended'))

  const address = await app.start({ host: config.CAIRN_HOST, port: config.CAIRN_PORT })
  console.log(welcome(config.CAIRN_PUBLIC_URL ?? address))
}

/** npm may die of a signal without passing it on; a server that it started would stay behind unseen. */
function stopWithNpm(stop: () => void) {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && stop(), 500).unref()
}

const welcome = (address: string) => `
Cairn is at ${address}
  operations   ${address}/docs
  sign in      npm run cairn -- user token --name you --role admin   (prints a session token)
  a tour       npm run tour
`

try {
  await serve()
} catch (error) {
  console.error(`Cairn did not start. ${(error as Error).message}`)
  process.exit(1)
}
