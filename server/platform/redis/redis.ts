import { setTimeout as sleep } from 'node:timers/promises'
import { Cluster, Redis } from 'ioredis'
import type { Log } from '../logging/log.ts'

/** A Redis or Valkey, one node or a cluster: what is asked of it is the same. */
export type RedisClient = Redis | Cluster

/** After this the asker goes on without it. */
const COMMAND_MS = 1000
const CONNECT_MS = 2000
const LONGEST_PAUSE_MS = 1000

/**
 * Redis as a place for what can be lost at any time. A command fails at once while there is no connection and after a
 * second without an answer: whoever asks knows what to do without it.
 * @param addresses one for a single node, several for the nodes of a cluster
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
    // Told once, not at every attempt for as long as it lasts.
    if (!isTold) log.warn({ err: error }, 'Redis cannot be reached')
    isTold = true
  })
  client.on('ready', () => {
    if (isTold) log.info('Redis can be reached again')
    isTold = false
  })
  return client
}

/** Connects, and waits two seconds for that at most: without it the service goes on, and it is tried again for as long as Redis is away. What `connect` of ioredis returns never settles where a cluster says that it is not whole. */
export async function connectRedis(client: RedisClient): Promise<void> {
  const connected = client.connect().catch(() => {})
  await Promise.race([connected, sleep(CONNECT_MS, undefined, { ref: false })])
}

/** What every node of a cluster asks for, of the address of the first. */
function credentials(address: string) {
  const { username, password, protocol } = new URL(address)
  return {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  }
}
