import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../app.ts'
import type { Config } from '../platform/config.ts'
import { readSecret } from '../platform/credentials/secrets.ts'
import type { Log } from '../platform/logging/log.ts'
import { prepareToDropRoot } from '../platform/process/drop-privileges.ts'
import { release } from '../platform/process/release.ts'
import { messageOf, runApp, type Undo } from '../run-app.ts'
import type { Assignment, Supervisor } from './messages.ts'

type Options = {
  supervisor: Supervisor
  assignment: Assignment
  log: Log
  undo: Undo
  stop: (why: string) => void
}

/** Longer paths of the folder for temporary files leave no room for the name of a socket. */
const LONGEST_TEMPORARY = 60

/** Runs the coordinator or a serving process, as the supervisor assigns. Resolves once it is ready. */
export async function startPart({ supervisor, assignment, log, undo, stop }: Options): Promise<void> {
  const { part, name, config, databaseUrl } = assignment
  process.title = `cairn ${name}`
  // The group of processes gets a signal together. The coordinator stops after those that serve: it waits for the supervisor.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => part === 'serving' && stop(signal))
  let sendMessage = async () => {}
  supervisor.listen((message) => {
    if ('stop' in message) stop('stopped by the supervisor')
    else if ('ping' in message) supervisor.send({ pong: true })
    else void sendMessage()
  })

  prepareToDropRoot({ dataDir: config.CAIRN_DATA_DIR, port: 0 })?.leave()
  const secret = readSecret(config.CAIRN_SECRET, config.CAIRN_DATA_DIR)
  const temporary = tmpdir().length <= LONGEST_TEMPORARY ? tmpdir() : '/tmp'
  const folder = assignment.folder ?? mkdtempSync(join(temporary, 'cairn-processes-'))
  // What cleans temporary files may have removed it.
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const own = part === 'coordinator' ? ofCoordinator(config) : ofServing(config)
  const { app, address } = await runApp({
    app: createApp({ config: own, databaseUrl, secret, log, part: { part, name, folder } }),
    config: own,
    log,
    undo,
    where: part === 'coordinator' ? whereCoordinatorListens(config, folder) : whereToListen(config),
  })
  sendMessage = async () =>
    supervisor.send({ message: await messageOf(app, { config, version: await release(), address }) })
  supervisor.send({ ready: { folder } })
}

const whereToListen = ({ CAIRN_HOST, CAIRN_PORT }: Config) => ({ host: CAIRN_HOST, port: CAIRN_PORT })

/** Scheduled work begins once a process listens. No request arrives at this file. The serving processes report their address. */
function whereCoordinatorListens({ CAIRN_HOST, CAIRN_PORT }: Config, folder: string) {
  const path = join(folder, 'http')
  rmSync(path, { force: true })
  const host = CAIRN_HOST.includes(':') ? `[${CAIRN_HOST}]` : CAIRN_HOST
  return { path, address: `http://${host}:${CAIRN_PORT}` }
}

/** Jobs belong to the coordinator. */
const ofServing = (config: Config): Config => ({ ...config, CAIRN_ROLE: 'api' })
/** It answers no searches. */
const ofCoordinator = (config: Config): Config => ({ ...config, CAIRN_PIN_INDEX_BYTES: 0 })
