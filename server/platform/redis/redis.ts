import { setTimeout as sleep } from 'node:timers/promises'
import { Cluster, Redis } from 'ioredis'
import type { Log } from '../logging/log.ts'

/** A Redis or Valkey, one node or a cluster, with the same commands. */
export type RedisClient = Redis | Cluster

/** Commands time out after this. */
const COMMAND_MS = 1000
const CONNECT_MS = 2000
const LONGEST_PAUSE_MS = 1000

/**
 * Opens Redis for data that can be lost at any time. A command fails at once without a connection, and after a second
 * without a response: callers must handle both. @param addresses one for a single node, several for the nodes of a
 * cluster
 */
export function openRedis(addresses: string[], log: Log): RedisClient {
  const pause = (attempt: number) => Math.min(attempt * 50, LONGEST_PAUSE_MS)
  const node = {
    connectTimeout: CONNECT_MS,
    commandTimeout: COMMAND_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: pause,
  }
  const [first] = addresses
  const client =
    addresses.length === 1
      ? new Redis(first!, { ...node, lazyConnect: true })
      : new Cluster(addresses, {
          redisOptions: { ...node, ...credentials(first!) },
          enableOfflineQueue: false,
          clusterRetryStrategy: pause,
          lazyConnect: true,
        })
  let isTold = false
  client.on('error', (error) => {
    // Logged once per outage.
    if (!isTold) log.warn({ err: error }, 'Redis is unreachable')
    isTold = true
  })
  client.on('ready', () => {
    if (isTold) log.info('Redis is reachable again')
    isTold = false
  })
  return client
}

/**
 * Connects, waiting at most two seconds: without Redis the service starts all the same, and reconnecting goes on. The
 * promise of ioredis `connect` never settles if a cluster is incomplete.
 */
export async function connectRedis(client: RedisClient): Promise<void> {
  const connected = client.connect().catch(() => {})
  await Promise.race([connected, sleep(CONNECT_MS, undefined, { ref: false })])
}

/** The credentials for every node of a cluster, from the first address. */
function credentials(address: string) {
  const { username, password, protocol } = new URL(address)
  return {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  }
}
