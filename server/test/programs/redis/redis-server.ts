import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { steadyPort } from '../steady-port.ts'

/** Redis or Valkey, depending on the installed package. */
const PROGRAM = ['/usr/bin/valkey-server', '/usr/bin/redis-server'].find(existsSync) ?? 'redis-server'

/** A Redis on loopback without persistence. @param settings as command line options */
export async function startRedis({ port = 0, settings = [] as string[] } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-redis-'))
  const at = port || (await steadyPort())
  const child = spawn(
    PROGRAM,
    ['--port', String(at), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder, ...settings],
    { stdio: 'ignore' },
  )
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const url = `redis://127.0.0.1:${at}`
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await answers(url)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url,
    port: at,
    child,
    stop,
  }
}

async function answers(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null })
  client.on('error', () => {})
  for (let attempt = 0; attempt < 400; attempt++) {
    const isUp = await client.connect().then(
      () => true,
      () => false,
    )
    if (isUp) return client.disconnect()
    await sleep(50)
  }
  throw new Error(`Redis did not start (${PROGRAM})`)
}
