import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { configOf } from './s3-server-config.ts'

const run = promisify(execFile)

export const S3_KEYS = { accessKeyId: 'test-access-key', secretAccessKey: 'test-secret-key' }

/** The ports of the gateway, the monitor, and 29 for the object daemon. Below the ephemeral range (from 32768), where Ceph's many connections would collide with them. */
const PORTS = 31
const [FIRST_PORT, LAST_PORT] = [18_000, 32_000]

const READY_MS = 60_000

export type S3Server = Awaited<ReturnType<typeof startS3Server>>

/** A real S3 on loopback: Ceph's gateway with one monitor and one object daemon in memory. Starts in about two seconds. */
export async function startS3Server() {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-s3-'))
  const port = await freePorts()
  const env = { ...process.env, CEPH_CONF: join(folder, 'ceph.conf') }
  const ceph = (program: string, ...args: string[]) => run(program, args, { env, timeout: READY_MS })

  const start = (program: string, ...args: string[]): ChildProcess => {
    const log = openSync(join(folder, 'log', `${program}.out`), 'a')
    const child = spawn(program, [...args, '-f'], { env, stdio: ['ignore', log, log] })
    closeSync(log)
    return child
  }

  /** @throws if the process ended, or if nothing listens after a minute. */
  const listening = async (child: ChildProcess, at: number) => {
    const deadline = Date.now() + READY_MS
    while (!(await answers(at))) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`${child.spawnfile} did not start: see ${folder}/log`)
      await sleep(20)
    }
  }

  const startGateway = async () => {
    const gateway = start('radosgw', '-n', 'client.rgw')
    await listening(gateway, port)
    return gateway
  }

  for (const name of ['mon', 'osd', 'run', 'log']) await mkdir(join(folder, name))
  await writeFile(env.CEPH_CONF, configOf({ folder, port }))
  await makeMonitor(folder, port + 1, ceph)
  const monitor = start('ceph-mon', '-i', 'a')
  await listening(monitor, port + 1)
  await makeDaemon(ceph)
  const daemon = start('ceph-osd', '-i', '0')
  let gateway = await startGateway()
  const { accessKeyId, secretAccessKey } = S3_KEYS
  const user = ['--uid=test', '--display-name=test', `--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`]
  await ceph('radosgw-admin', '-n', 'client.rgw', 'user', 'create', ...user)

  return {
    url: `http://127.0.0.1:${port}`,
    /** Kills the gateway; its data stays. */
    killGateway: () => end(gateway, 'SIGKILL'),
    /** It accepts connections, but no longer responds. */
    freezeGateway: () => gateway.kill('SIGSTOP'),
    thawGateway: () => gateway.kill('SIGCONT'),
    async startGateway() {
      gateway = await startGateway()
    },
    async stop() {
      for (const child of [gateway, daemon, monitor]) await end(child, 'SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Ceph = (program: string, ...args: string[]) => Promise<unknown>

/** The keys must exist before the monitor is created: they are its first users. */
async function makeMonitor(folder: string, port: number, ceph: Ceph) {
  const [keyring, map, fsid] = [join(folder, 'keyring'), join(folder, 'monmap'), crypto.randomUUID()]
  const all = ['--cap', 'osd', 'allow *']
  await ceph('ceph-authtool', '-C', keyring, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *')
  for (const name of ['client.admin', 'client.rgw'])
    await ceph('ceph-authtool', keyring, '--gen-key', '-n', name, '--cap', 'mon', 'allow *', ...all)
  await ceph('ceph-authtool', keyring, '--gen-key', '-n', 'osd.0', '--cap', 'mon', 'allow profile osd', ...all)
  await ceph('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', `[v2:127.0.0.1:${port}/0]`, map)
  await ceph('ceph-mon', '-i', 'a', '--mkfs', '--fsid', fsid, '--monmap', map, '--keyring', keyring)
}

async function makeDaemon(ceph: Ceph) {
  const id = crypto.randomUUID()
  await ceph('ceph', 'osd', 'new', id)
  await ceph('ceph', 'osd', 'crush', 'add', 'osd.0', '1.0', 'root=default', 'host=localhost')
  await ceph('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', id)
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await ended
}

/** The first of that many free ports in a row. */
async function freePorts(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const first = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT))
    const ports = Array.from({ length: PORTS }, (_, i) => first + i)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first
  }
  throw new Error(`There are no ${PORTS} free ports in a row`)
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .once('connect', () => {
        socket.destroy()
        resolve(true)
      })
      .once('error', () => resolve(false))
  })
