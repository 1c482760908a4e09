import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../app.ts'
import type { Config } from '../platform/config.ts'
import { readSecret } from '../platform/credentials/secrets.ts'
import type { Log } from '../platform/logging/log.ts'
import { prepareToDropRoot } from '../platform/process/drop-privileges.ts'
import { release } from '../platform/process/release.ts'
import { messageOf, runApp, type Undo } from '../run-app.ts'
import type { Assignment, FromPart, ToPart } from './messages.ts'

type Options = { config: Config; log: Log; undo: Undo; stop: (why: string) => void }

const report = (message: FromPart) => process.send!(message)

/** Runs the coordinator or a serving process, as the supervisor assigns. Resolves once it is ready. */
export async function startPart({ config, log, undo, stop }: Options): Promise<void> {
  const assigned = once(process, 'message') as Promise<[Assignment]>
  let part: Assignment['part'] | undefined
  // The group of processes gets a signal together. The coordinator stops after those that serve: it waits for the supervisor.
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (part === 'serving') stop(signal)
    })
  const [{ name, databaseUrl, ...assignment }] = await assigned
  ;({ part } = assignment)
  process.title = `cairn ${name}`
  process.on('message', (message: ToPart) => 'stop' in message && stop('stopped by the supervisor'))

  prepareToDropRoot({ dataDir: config.CAIRN_DATA_DIR, port: 0 })?.leave()
  const secret = readSecret(config.CAIRN_SECRET, config.CAIRN_DATA_DIR)
  const folder = assignment.folder ?? mkdtempSync(join(tmpdir(), 'cairn-processes-'))
  const own = part === 'coordinator' ? ofCoordinator(config) : ofServing(config)
  const { app, address } = await runApp({
    app: createApp({ config: own, databaseUrl, secret, log, part: { part, name, folder } }),
    config: own,
    log,
    undo,
    where: part === 'coordinator' ? whereCoordinatorListens(config, folder) : whereToListen(config),
  })
  process.on('message', async (message: ToPart) => {
    if ('message' in message) report({ message: await messageOf(app, { config, version: await release(), address }) })
  })
  report({ ready: { folder } })
}

const whereToListen = ({ CAIRN_HOST, CAIRN_PORT }: Config) => ({ host: CAIRN_HOST, port: CAIRN_PORT })

/** Scheduled work begins once a process listens. No request arrives at this file. The serving processes report their address. */
function whereCoordinatorListens({ CAIRN_HOST, CAIRN_PORT }: Config, folder: string) {
  const path = join(folder, 'http')
  rmSync(path, { force: true })
  return { path, address: `http://${CAIRN_HOST}:${CAIRN_PORT}` }
}

/** Jobs belong to the coordinator. */
const ofServing = (config: Config): Config => ({ ...config, CAIRN_ROLE: 'api' })
/** It answers no searches. */
const ofCoordinator = (config: Config): Config => ({ ...config, CAIRN_PIN_INDEX_BYTES: 0 })
