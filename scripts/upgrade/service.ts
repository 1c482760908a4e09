import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { bareEnvironment, postgresPid, type ServiceProcess, startProcess } from '../../server/test/process.ts'
import type { Checkout } from './checkout.ts'

/** The address that all versions use in turn: URLs in responses contain the port. */
export type Place = {
  dataDir: string
  port: number
  webhookHost: string
  /** Without it, the bundled PostgreSQL. */
  databaseUrl?: string
}

const settingsOf = ({ port, webhookHost, databaseUrl }: Place) => ({
  ...(databaseUrl && { CAIRN_DATABASE_URL: databaseUrl }),
  CAIRN_PORT: String(port),
  CAIRN_WEBHOOK_HOSTS: webhookHost,
  CAIRN_WEBHOOK_RETRY_SECONDS: '1',
  CAIRN_DRAIN_SECONDS: '0',
})

const programOf = ({ folder }: Checkout, name: string) => join(folder, 'server', `${name}.ts`)

/** Starts the service of a version. @throws its output if it does not start */
export const start = (checkout: Checkout, place: Place): Promise<ServiceProcess> =>
  startProcess(place.dataDir, {
    command: [process.execPath, programOf(checkout, 'main')],
    settings: settingsOf(place),
  })

/** Ends a service in order. @throws if it does not end with 0 */
export async function stop(service: ServiceProcess): Promise<void> {
  service.child.kill('SIGTERM')
  const code = await service.ended
  if (code !== 0) throw new Error(`The service ended with ${code}: ${service.output()}`)
}

/** Runs work against the service of a version, then ends the service. */
export async function during<T>(checkout: Checkout, place: Place, work: (url: string) => Promise<T>): Promise<T> {
  const service = await start(checkout, place)
  try {
    return await work(service.url)
  } finally {
    await stop(service)
  }
}

/** Starts the process without waiting until it serves. */
export function spawnService(checkout: Checkout, place: Place) {
  const environment = { CAIRN_DATA_DIR: place.dataDir, CAIRN_LOG_LEVEL: 'silent', ...settingsOf(place) }
  return spawn(process.execPath, [programOf(checkout, 'main')], {
    cwd: checkout.folder,
    env: { ...bareEnvironment(), ...environment },
    detached: true,
    stdio: 'ignore',
  })
}

/** Runs `cairn …` of a version. @returns its output @throws an error with its output if it fails */
export async function command(checkout: Checkout, place: Place, words: string[]): Promise<string> {
  const child = spawn(process.execPath, [programOf(checkout, 'cli'), ...words], {
    cwd: checkout.folder,
    env: { ...bareEnvironment(), CAIRN_DATA_DIR: place.dataDir, ...settingsOf(place) },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`cairn ${words.join(' ')} of ${checkout.name} failed: ${err || out}`)
  return out.trim()
}

/** Kills the PostgreSQL of a killed service, as a power cut would. */
export async function cutPower(dataDir: string): Promise<void> {
  const pid = postgresPid(dataDir)
  if (pid === undefined) return
  process.kill(pid, 'SIGKILL')
  while (postgresPid(dataDir) === pid) await new Promise((resolve) => setTimeout(resolve, 20))
}
