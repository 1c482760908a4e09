import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createApp } from './app.ts'
import { type Config, readConfig } from './platform/config.ts'
import { readSecret } from './platform/credentials/secrets.ts'
import { openBoxDatabase } from './platform/database/box-database.ts'
import { migrate } from './platform/database/migrate.ts'
import { holdSingleProcess } from './platform/database/single-process.ts'
import { createLog, type Log } from './platform/log.ts'

/** How long requests are still taken after the signal, so that those under way and a load balancer's next ones are answered. */
const GRACE_MS = 1000
/** A request that takes longer than this after the signal is cut off. */
const DRAIN_MS = 10_000
/** Whatever happens, the process is gone after this; PostgreSQL repairs itself at the next start. */
const STOP_MS = 40_000

/** What must be undone at the end, last first. */
type Undo = (() => Promise<void> | void)[]

type Started = { address: string; boxIssuerIsOn: boolean; firstAdminLink: string | undefined }

/** configuration → database → the right to be the only process → migrations → app → listen. */
async function serve(config: Config, log: Log, undo: Undo): Promise<Started> {
  const secret = readSecret(config.CAIRN_SECRET, config.CAIRN_DATA_DIR)
  const box = config.CAIRN_DATABASE_URL ? undefined : await openBoxDatabase({ dataDir: config.CAIRN_DATA_DIR })
  const databaseUrl = config.CAIRN_DATABASE_URL ?? box!.url

  const release = await holdSingleProcess(databaseUrl, (sentence) => {
    log.fatal(sentence)
    process.exit(1)
  })
  // Only now is the box's PostgreSQL ours to stop: of two that start together the other may have been faster.
  if (box) undo.push(box.stop)
  undo.push(release)

  const applied = await migrate(databaseUrl, fileURLToPath(new URL('./migrations', import.meta.url)))
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  if (box) undo.push(box.watch((sentence) => log.error(sentence)))

  const app = await createApp({ config, databaseUrl, secret, log })
  undo.push(app.stop)
  const address = await app.start({ host: config.CAIRN_HOST, port: config.CAIRN_PORT })
  undo.push(async () => {
    app.drain()
    await sleep(GRACE_MS)
    setTimeout(() => {
      log.error('some requests did not end in time and were cut off')
      app.http.server.closeAllConnections()
    }, DRAIN_MS - GRACE_MS).unref()
  })
  return {
    address: config.CAIRN_PUBLIC_URL ?? address,
    boxIssuerIsOn: app.box.isOn,
    firstAdminLink: await app.box.firstAdminLink(),
  }
}

async function main() {
  const config = readConfig(process.env)
  const log = createLog(config.CAIRN_LOG_LEVEL)
  const undo: Undo = []
  const started = serve(config, log, undo)

  let stopping = false
  const stop = async (why: string, code: number) => {
    if (stopping) return
    stopping = true
    log.info({ why }, 'stopping')
    // Not process.exit, which waits for native code to return: what is stuck in it would keep the process for ever.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), STOP_MS).unref()
    // A start under way is finished first: only then is it known what there is to undo.
    await started.catch(() => {})
    for (const step of undo.reverse())
      await Promise.resolve(step()).catch((error: Error) => log.error({ err: error }, 'stopping'))
    process.exit(code)
  }
  // npm passes a signal on that the group already got: a second one must not end the process in the middle.
  process.on('SIGTERM', () => void stop('SIGTERM', 0))
  process.on('SIGINT', () => void stop('SIGINT', 0))
  stopWithNpm(() => void stop('npm ended', 0))

  try {
    console.log(welcome(await started))
  } catch (error) {
    console.error(`Cairn did not start. ${(error as Error).message}`)
    await stop('the start failed', 1)
  }
}

/** npm may die of a signal without passing it on; a server that it started would stay behind unseen. */
function stopWithNpm(stop: () => void) {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && stop(), 500).unref()
}

const welcome = ({ address, boxIssuerIsOn, firstAdminLink }: Started) => `
Cairn is at ${address}
  operations   ${address}/docs
  ${firstAdminLink ? `first admin  ${firstAdminLink}   (makes the account that runs this box; works once, until the next start)` : signIn(address, boxIssuerIsOn)}
  a tour       npm run tour
`

const signIn = (address: string, boxIssuerIsOn: boolean) =>
  boxIssuerIsOn
    ? `sign in      ${address}/sign-in`
    : 'sign in      at your identity provider, or: npm run cairn -- user token --name you --role admin'

try {
  await main()
} catch (error) {
  console.error(`Cairn did not start. ${(error as Error).message}`)
  process.exit(1)
}
