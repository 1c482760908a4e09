import { asCalled } from './cli/as-called.ts'
import { type Config, readConfig } from './platform/config.ts'
import { readSecret } from './platform/credentials/secrets.ts'
import { assertSecretFits } from './platform/credentials/verify-secret.ts'
import { type EmbeddedDatabase, openEmbeddedDatabase } from './platform/database/embedded/embedded-database.ts'
import { holdSingleProcess } from './platform/database/locks/single-process.ts'
import { migrate } from './platform/database/migrate/migrate.ts'
import { createLog, type Log } from './platform/logging/log.ts'
import type { PlatformOptions } from './platform/platform.ts'
import { prepareToDropRoot } from './platform/process/drop-privileges.ts'
import { letYoungGenerationGrow } from './platform/process/garbage.ts'
import { projectFile } from './platform/process/project-files.ts'
import { release as releaseHere } from './platform/process/release.ts'
import { serviceManager } from './platform/process/service-manager.ts'
import { openDataFolder, recordInFolder } from './platform/storage/folder/data-folder.ts'
import { supervisor as supervisorOfPart } from './processes/messages.ts'
import { servingProcessesOf, supervise } from './processes/supervisor.ts'
import type { Undo } from './run-app.ts'

/**
 * The process ends this long after the last request was accepted, in any case; PostgreSQL recovers at the next
 * start.
 */
const STOP_MS = 40_000
/** The same for a process that waits for the coordinator after the serving ones. */
const SUPERVISOR_STOP_MS = 100_000

/**
 * configuration → data folder → drop root → database → lock → check of the secret → migrations → app → listen. @returns the startup
 * message
 */
async function start(config: Config, log: Log, undo: Undo, fail: (why: string) => void): Promise<string> {
  const version = await releaseHere()
  openDataFolder(config.CAIRN_DATA_DIR, version)
  const processes = servingProcessesOf(config)
  // It does not load the service.
  const isSupervisor = processes > 1
  const root = prepareToDropRoot({ dataDir: config.CAIRN_DATA_DIR, port: config.CAIRN_PORT })
  if (root?.stays) log.warn(root.stays)
  if (root && !root.listensFirst) {
    // The compile cache of this code is not writable afterwards.
    if (!isSupervisor) await loadApp()
    root.leave()
  }
  const secret = readSecret(config.CAIRN_SECRET, config.CAIRN_DATA_DIR)
  const isWorker = config.CAIRN_ROLE === 'worker'
  let created: ReturnType<typeof create> | undefined
  // Most of the code is loaded, and the routes are registered, in parallel with the start of PostgreSQL.
  const meanwhile = (url: string) => {
    if (isSupervisor) return
    created = create({ config, databaseUrl: url, secret, log })
    // Reported below, after errors of the database.
    created.catch(() => {})
  }
  const box = config.CAIRN_DATABASE_URL
    ? undefined
    : await openEmbeddedDatabase({ dataDir: config.CAIRN_DATA_DIR, processes, meanwhile })
  const databaseUrl = config.CAIRN_DATABASE_URL ?? box!.url

  if (isWorker) await assertServed(box)
  else {
    // Embedded PostgreSQL ends with the process that started it, so no other process can serve it.
    const isShared = box === undefined && config.CAIRN_REDIS_URL !== undefined
    const onLost = (sentence: string) => {
      log.fatal(sentence)
      process.exit(1)
    }
    const release = await holdSingleProcess(databaseUrl, { isShared, onLost })
    // Only now may this process stop the embedded PostgreSQL: of two concurrent starts the other may have won.
    if (box) undo.push(box.stop)
    undo.push(release)
  }

  // A process with another secret must not migrate this database.
  await assertSecretFits(databaseUrl, secret)
  const applied = await migrate(databaseUrl, projectFile('server/migrations'))
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  recordInFolder(config.CAIRN_DATA_DIR, version)
  if (box && !isWorker) undo.push(box.watch((sentence) => log.error(sentence), config.CAIRN_DATABASE_RESERVE_BYTES))

  if (isSupervisor) {
    const message = await supervise({ config, databaseUrl, log, undo, fail })
    if (root?.listensFirst) root.leave()
    return message
  }
  const { runApp, messageOf } = await import('./run-app.ts')
  const where = { host: config.CAIRN_HOST, port: config.CAIRN_PORT }
  const parts = { config, databaseUrl, secret, log }
  const { app, address } = await runApp({ app: created ?? create(parts), log, config, undo, where })
  if (root?.listensFirst) root.leave()
  return messageOf(app, { config, version, address })
}

/** Most of the code. */
const loadApp = () => import('./app.ts')

/** Creates the app, which connects to nothing before it starts. */
async function create(options: PlatformOptions) {
  const { createApp } = await loadApp()
  return createApp(options)
}

/** The process that serves starts, watches and stops the embedded PostgreSQL. @throws a sentence if none runs */
async function assertServed(box: EmbeddedDatabase | undefined): Promise<void> {
  if (!box?.startedHere) return
  await box.stop()
  throw new Error('A worker needs a running Cairn: start that first, or set CAIRN_DATABASE_URL to your own PostgreSQL')
}

/**
 * Runs the service until a signal stops it, then ends the process. @param settings override those of the environment
 * and of `.env`
 */
export async function serve(settings: Record<string, string> = {}): Promise<void> {
  letYoungGenerationGrow(false)
  const supervisor = supervisorOfPart()
  const assignment = await supervisor?.assigned
  const config = assignment?.config ?? readConfig({ ...process.env, ...settings })
  const log = createLog(config.CAIRN_LOG_LEVEL)
  // By default Node would print everything that the error carries: rows, statements, data sent to a storage.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception; exiting')
    process.exit(1)
  })
  const tellServiceManager = serviceManager()
  const undo: Undo = []
  const started =
    supervisor && assignment
      ? import('./processes/part.ts').then(({ startPart }) =>
          startPart({ supervisor, assignment, log, undo, stop: (why) => void stop(why, 0) }),
        )
      : start(config, log, undo, (why) => void stop(why, 1))

  let stopping = false
  const stop = async (why: string, code: number) => {
    if (stopping) return
    stopping = true
    log.info({ why }, 'stopping')
    void tellServiceManager('STOPPING=1')
    // Not process.exit, which waits for native code to return and could hang.
    const stopMs = supervisor || servingProcessesOf(config) === 1 ? STOP_MS : SUPERVISOR_STOP_MS
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), config.CAIRN_DRAIN_SECONDS * 1000 + stopMs).unref()
    // Let a start in progress finish first: only then is it known what to undo.
    await started.catch(() => {})
    for (const step of undo.reverse())
      await Promise.resolve(step()).catch((error: Error) => log.error({ err: error }, 'failed to stop in order'))
    process.exit(code)
  }
  if (supervisor)
    return started.then(
      () => letYoungGenerationGrow(true),
      (error: Error) => {
        supervisor.send({ failed: asCalled(error.message) })
        return stop('failed to start', 1)
      },
    )
  // npm passes a signal on that the process group already got: the second one must not end the process early.
  process.on('SIGTERM', () => void stop('SIGTERM', 0))
  process.on('SIGINT', () => void stop('SIGINT', 0))
  stopWithNpm(() => void stop('npm exited', 0))

  try {
    console.log(await started)
    letYoungGenerationGrow(true)
    void tellServiceManager('READY=1')
  } catch (error) {
    console.error(`Cairn did not start. ${asCalled((error as Error).message)}`)
    await stop('failed to start', 1)
  }
}

/** npm may die of a signal without passing it on, which would leave the server running unnoticed. */
function stopWithNpm(stop: () => void) {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && stop(), 500).unref()
}
