import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { steadyPort } from '../steady-port.ts'
import { startRedis } from './redis-server.ts'

/** Offset from a node's port to its cluster bus port. */
const BUS = 10_000

/** A Redis Cluster of three nodes on loopback, without replicas and persistence. @param nodeTimeoutMs after which a silent node makes the cluster fail */
export async function startRedisCluster({ nodeTimeoutMs = 5000 } = {}) {
  const nodes: Awaited<ReturnType<typeof startRedis>>[] = []
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
  }
  try {
    for (let n = 0; n < 3; n++) {
      const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(nodeTimeoutMs)]
      nodes.push(await startRedis({ port: await steadyPort({ alsoAt: BUS }), settings }))
    }
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`)
    const made = spawnSync('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'], { encoding: 'utf8' })
    if (made.status !== 0) throw new Error(`The cluster could not be created: ${made.stdout}${made.stderr}`)
    for (const { url } of nodes) await untilItSays(url, 'ok')
  } catch (error) {
    await stop()
    throw error
  }
  return {
    /** The value for CAIRN_REDIS_URL. */
    url: nodes.map(({ url }) => url).join(','),
    nodes,
    /** Resolves once all of these nodes report the state. */
    untilSaid: async (state: 'ok' | 'fail', said = nodes) => {
      for (const { url } of said) await untilItSays(url, state)
    },
    stop,
  }
}

async function untilItSays(url: string, state: 'ok' | 'fail'): Promise<void> {
  const client = new Redis(url)
  try {
    for (let attempt = 0; attempt < 1200; attempt++) {
      if (String(await client.cluster('INFO')).includes(`cluster_state:${state}`)) return
      await sleep(50)
    }
  } finally {
    client.disconnect()
  }
  throw new Error(`A node of the cluster did not report ${state}`)
}
