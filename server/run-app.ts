import { setTimeout as sleep } from 'node:timers/promises'
import type { createApp } from './app.ts'
import type { Config } from './platform/config.ts'
import type { Log } from './platform/logging/log.ts'
import { startupMessage } from './startup-message.ts'

/** A request that takes longer than this after the last one was accepted is aborted. */
const DRAIN_MS = 9_000

/** What to undo at the end, in reverse order. */
export type Undo = (() => Promise<void> | void)[]

/** An address, or a socket file and the address that the service has. */
type Where = { host: string; port: number } | { path: string; address: string }
type App = Awaited<ReturnType<typeof createApp>>
type Options = { app: Promise<App>; config: Config; log: Log; where: Where; undo: Undo }

/** Starts the service in this process; `undo` then drains and stops it. @returns the app and its address */
export async function runApp({ app: created, config, log, where, undo }: Options) {
  const app = await created
  undo.push(app.stop)
  const address = await app.start(where).catch((error) => {
    throw 'port' in where ? listeningFault(error, where) : error
  })
  const getsRequests = config.CAIRN_ROLE !== 'worker' && 'port' in where
  undo.push(async () => {
    app.drain()
    // Meanwhile running requests, and those that the load balancer still sends, are served.
    if (getsRequests) await sleep(config.CAIRN_DRAIN_SECONDS * 1000)
    setTimeout(() => {
      log.error('aborted requests that did not end in time')
      app.http.server.closeAllConnections()
    }, DRAIN_MS).unref()
  })
  return { app, address }
}

/** The message printed after the start. @param address that the service listens on */
export async function messageOf(
  app: App,
  { config, version, address }: { config: Config; version: string; address: string },
) {
  const isWorker = config.CAIRN_ROLE === 'worker'
  return startupMessage({
    version,
    role: config.CAIRN_ROLE,
    address: isWorker ? address : (config.CAIRN_PUBLIC_URL ?? address),
    boxIssuerIsOn: app.box.isOn,
    dataDir: config.CAIRN_DATA_DIR,
    firstAdminLink: isWorker ? undefined : await app.box.firstAdminLink(),
  })
}

/** Explains why the address cannot be used for listening; returns other errors unchanged. */
function listeningFault(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): Error {
  const cause = { cause: error }
  if (error.code === 'EADDRINUSE')
    return new Error(
      `Port ${port} of ${host} is in use: set another in CAIRN_PORT, or with cairn serve --port N`,
      cause,
    )
  if (error.syscall === 'listen' || error.syscall === 'bind')
    return new Error(
      `Cannot listen on port ${port} of ${host} (${error.code}): set CAIRN_HOST and CAIRN_PORT to an address of this machine`,
      cause,
    )
  return error
}
