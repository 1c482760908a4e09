import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { steadyPort } from '../../server/test/programs/steady-port.ts'

/** Debian's Redis on loopback, in memory only (by default it would save periodically). Installed if missing and root.
 * @returns undefined if unavailable. */
export async function startRedis() {
  if (spawnSync('redis-server', ['--version']).error) {
    if (process.getuid?.() !== 0) return undefined
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update', '-q'], { env: environment })
    spawnSync('apt-get', ['install', '-qy', '--no-install-recommends', 'redis-server'], { env: environment })
    if (spawnSync('redis-server', ['--version']).error) return undefined
  }
  const port = await steadyPort()
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-redis-'))
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
  const server = spawn('redis-server', settings, { stdio: 'ignore' })
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 100, maxRetriesPerRequest: null })
  client.on('error', () => {})
  while ((await client.ping().catch(() => '')) !== 'PONG') await sleep(50)
  return {
    client,
    async stop() {
      client.disconnect()
      server.kill('SIGTERM')
      await once(server, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
