import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'
import { startRedis } from './redis-server.ts'

/** Nodes listen at their port + 10000 too, so that has to be a port. */
async function clusterPort(): Promise<number> {
  for (;;) {
    const port = await freePort()
    if (port < 55_000) return port
  }
}

/** A Redis Cluster of three nodes on loopback, without replicas, that keeps nothing when it ends. */
export async function startRedisCluster() {
  const nodes: Awaited<ReturnType<typeof startRedis>>[] = []
  for (let n = 0; n < 3; n++) {
    const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '5000']
    nodes.push(await startRedis({ port: await clusterPort(), settings }))
  }
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`)
  const made = spawnSync('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`The cluster could not be made: ${made.stdout}${made.stderr}`)
  for (const { url } of nodes) await untilWhole(url)
  return {
    /** What CAIRN_REDIS_URL takes. */
    url: nodes.map(({ url }) => url).join(','),
    nodes,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}

async function untilWhole(url: string): Promise<void> {
  const client = new Redis(url)
  try {
    for (let attempt = 0; attempt < 200; attempt++) {
      if (String(await client.cluster('INFO')).includes('cluster_state:ok')) return
      await sleep(50)
    }
  } finally {
    client.disconnect()
  }
  throw new Error('The nodes did not become a cluster')
}
