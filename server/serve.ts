import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createApp } from './app.ts'
import { loadBuiltInIssuer } from './modules/accounts/index.ts'
import { type Config, readConfig } from './platform/config.ts'
import { readSecret } from './platform/credentials/secrets.ts'
import { assertSecretFits } from './platform/credentials/verify-secret.ts'
import { type EmbeddedDatabase, openEmbeddedDatabase } from './platform/database/embedded/embedded-database.ts'
import { holdSingleProcess } from './platform/database/locks/single-process.ts'
import { migrate } from './platform/database/migrate/migrate.ts'
import { createLog, type Log } from './platform/logging/log.ts'
import { leavingRoot } from './platform/process/leaving-root.ts'
import { ensureDir } from './platform/storage/folder/ensure-dir.ts'
import { startupMessage } from './startup-message.ts'

/** A request that takes longer than this after the last one was taken is cut off. */
const DRAIN_MS = 9_000
/** Whatever happens, the process is gone this long after the last request was taken; PostgreSQL repairs itself at the next start. */
const STOP_MS = 40_000

/** What must be undone at the end, last first. */
type Undo = (() => Promise<void> | void)[]

/** configuration → root is left → database → the right to be the only process that serves → the secret's fit → migrations → app → listen. @returns what is said of it */
async function start(config: Config, log: Log, undo: Undo): Promise<string> {
  ensureDir(config.CAIRN_DATA_DIR)
  const root = leavingRoot({ dataDir: config.CAIRN_DATA_DIR, port: config.CAIRN_PORT })
  if (root?.stays) log.warn(root.stays)
  if (!root?.listensFirst) root?.leave()
  const secret = readSecret(config.CAIRN_SECRET, config.CAIRN_DATA_DIR)
  const isWorker = config.CAIRN_ROLE === 'worker'
  // Costs the start nothing beside PostgreSQL's own; a fault comes again when the app loads it.
  const meanwhile = () => void loadBuiltInIssuer(config).catch(() => {})
  const box = config.CAIRN_DATABASE_URL
    ? undefined
    : await openEmbeddedDatabase({ dataDir: config.CAIRN_DATA_DIR, meanwhile })
  const databaseUrl = config.CAIRN_DATABASE_URL ?? box!.url

  if (isWorker) await assertServed(box)
  else {
    // The box's PostgreSQL ends with the process that started it: nobody else can serve it.
    const isShared = box === undefined && config.CAIRN_REDIS_URL !== undefined
    const onLost = (sentence: string) => {
      log.fatal(sentence)
      process.exit(1)
    }
    const release = await holdSingleProcess(databaseUrl, { isShared, onLost })
    // Only now is the box's PostgreSQL ours to stop: of two that start together the other may have been faster.
    if (box) undo.push(box.stop)
    undo.push(release)
  }

  // A process of another set-up must not bring this database to its release.
  await assertSecretFits(databaseUrl, secret)
  const applied = await migrate(databaseUrl, fileURLToPath(new URL('./migrations', import.meta.url)))
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  if (box && !isWorker) undo.push(box.watch((sentence) => log.error(sentence), config.CAIRN_DATABASE_RESERVE_BYTES))

  const app = await createApp({ config, databaseUrl, secret, log })
  undo.push(app.stop)
  const where = { host: config.CAIRN_HOST, port: config.CAIRN_PORT }
  const address = await app.start(where).catch((error) => {
    throw listeningFault(error, where)
  })
  if (root?.listensFirst) root.leave()
  undo.push(async () => {
    app.drain()
    // Those under way and a load balancer's next ones are answered. Nobody sends requests to a worker.
    if (!isWorker) await sleep(config.CAIRN_DRAIN_SECONDS * 1000)
    setTimeout(() => {
      log.error('some requests did not end in time and were cut off')
      app.http.server.closeAllConnections()
    }, DRAIN_MS).unref()
  })
  return startupMessage({
    role: config.CAIRN_ROLE,
    address: isWorker ? address : (config.CAIRN_PUBLIC_URL ?? address),
    boxIssuerIsOn: app.box.isOn,
    firstAdminLink: isWorker ? undefined : await app.box.firstAdminLink(),
  })
}

/** What to change where the address cannot be listened on; other errors as they are. */
function listeningFault(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): Error {
  const cause = { cause: error }
  if (error.code === 'EADDRINUSE')
    return new Error(
      `Port ${port} of ${host} is taken: name another in CAIRN_PORT, or with cairn serve --port N`,
      cause,
    )
  if (error.syscall === 'listen')
    return new Error(
      `Port ${port} of ${host} cannot be listened on (${error.code}): set CAIRN_HOST and CAIRN_PORT to what this machine has`,
      cause,
    )
  return error
}

/** The box's PostgreSQL belongs to the process that serves: it starts it, watches it and ends it. @throws a sentence where there is none */
async function assertServed(box: EmbeddedDatabase | undefined): Promise<void> {
  if (!box?.startedHere) return
  await box.stop()
  throw new Error(
    'A worker joins a Cairn that runs: start that first (npm start), or name a PostgreSQL of your own in CAIRN_DATABASE_URL',
  )
}

/** Runs the service until it is told to stop, then ends the process. @param settings beside those of the environment and of `.env`; they win */
export async function serve(settings: Record<string, string> = {}): Promise<void> {
  const config = readConfig({ ...process.env, ...settings })
  const log = createLog(config.CAIRN_LOG_LEVEL)
  // Left to itself Node would print all that the error carries: rows, statements, what was sent to a storage.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'a fault that nothing caught: the process ends')
    process.exit(1)
  })
  const undo: Undo = []
  const started = start(config, log, undo)

  let stopping = false
  const stop = async (why: string, code: number) => {
    if (stopping) return
    stopping = true
    log.info({ why }, 'stopping')
    // Not process.exit, which waits for native code to return: what is stuck in it would keep the process for ever.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), config.CAIRN_DRAIN_SECONDS * 1000 + STOP_MS).unref()
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
    console.log(await started)
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
