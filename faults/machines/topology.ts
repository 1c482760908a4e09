import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requirePrograms } from '../../server/test/programs/debian-packages.ts'
import { startRedisCluster } from '../../server/test/programs/redis/redis-cluster.ts'
import { newBucket } from '../../server/test/programs/s3/s3-bucket.ts'
import { startS3Server } from '../../server/test/programs/s3/s3-server.ts'
import { steadyPort } from '../../server/test/programs/steady-port.ts'
import { startLoadBalancer } from './haproxy.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'
import { type ServiceMachine, startService } from './service.ts'

export type Topology = Awaited<ReturnType<typeof startTopology>>

export type Parts = {
  /** Number of serving processes. */
  apis?: number
  workers?: number
  replica?: boolean
  redis?: boolean
  /** A Redis Cluster of three nodes, instead of one Redis. */
  cluster?: boolean
  s3?: boolean
  balancer?: boolean
  /** Settings of every process. */
  settings?: Record<string, string>
  /** The address of a part for a process, e.g. of a fault proxy. @param process its number from 0, serving ones first */
  through?: (part: 'postgres' | 'replica' | 'redis' | 's3', url: string, process: number) => string | Promise<string>
  postgresSettings?: Record<string, string | number>
}

/** A deployment on several machines, simulated by processes of this one: a load balancer, serving processes, workers, PostgreSQL with a streaming replica, Redis, S3. Without S3 all processes share a folder. */
export async function startTopology({
  apis = 3,
  workers = 2,
  replica: withReplica = true,
  cluster: withCluster = false,
  redis: withRedis = !withCluster,
  s3: withS3 = true,
  balancer: withBalancer = true,
  settings = {},
  through = (_part, url) => url,
  postgresSettings = {},
}: Parts = {}) {
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'cairn-topology-'))
    undo.push(() => rm(folder, { recursive: true, force: true }))
    await chmod(folder, 0o755)

    const postgres: Postgres = await startPostgres({ settings: postgresSettings })
    undo.push(postgres.stop)
    const replica = withReplica ? await postgres.startReplica() : undefined
    if (replica) undo.push(replica.stop)
    const redis = withRedis ? await startRedis() : undefined
    if (redis) undo.push(redis.stop)
    if (withCluster) requirePrograms('/usr/bin/redis-server')
    const cluster = withCluster ? await startRedisCluster() : undefined
    if (cluster) undo.push(cluster.stop)
    const redisUrl = cluster?.url ?? redis?.url
    if (withS3) requirePrograms('/usr/bin/radosgw')
    const s3 = withS3 ? await startS3Server() : undefined
    if (s3) undo.push(s3.stop)
    const bucket = s3 && (await newBucket(s3.url))

    const balancerPort = withBalancer ? await steadyPort() : undefined
    const settingsOf = async (number: number): Promise<Record<string, string>> => ({
      CAIRN_DATA_DIR: bucket ? join(folder, `process-${number}`) : join(folder, 'shared'),
      CAIRN_DATABASE_URL: await through('postgres', postgres.url, number),
      CAIRN_SECRET: 'a secret of the tests, long enough',
      ...(replica && { CAIRN_DATABASE_REPLICA_URL: await through('replica', replica.url, number) }),
      ...(redisUrl && { CAIRN_REDIS_URL: await through('redis', redisUrl, number) }),
      ...(bucket && { ...bucket, CAIRN_S3_ENDPOINT: await through('s3', bucket.CAIRN_S3_ENDPOINT, number) }),
      ...(balancerPort && {
        CAIRN_PUBLIC_URL: `http://127.0.0.1:${balancerPort}`,
        CAIRN_TRUSTED_PROXIES: 'loopback',
      }),
      ...LIMITS,
      ...settings,
    })
    const start = async (role: 'api' | 'worker', number: number): Promise<ServiceMachine> => {
      const service = await startService({ CAIRN_ROLE: role, ...(await settingsOf(number)) })
      undo.push(service.stop)
      return service
    }
    // The first process migrates the database; the others find it migrated.
    const serving = apis > 0 ? [await start('api', 0)] : []
    serving.push(...(await Promise.all(range(1, apis).map((number) => start('api', number)))))
    const working = await Promise.all(range(apis, apis + workers).map((number) => start('worker', number)))
    const balancer =
      balancerPort === undefined
        ? undefined
        : await startLoadBalancer(
            serving.map(({ url }) => url),
            balancerPort,
          )
    if (balancer) undo.push(balancer.stop)

    return {
      /** The entry point of clients: the load balancer, or the first process. */
      url: balancer?.url ?? serving[0]!.url,
      apis: serving,
      workers: working,
      balancer,
      postgres,
      replica,
      redis,
      cluster,
      s3,
      bucket,
      folder,
      /** The settings of the process of this number, for an additional one or for the command line. */
      settingsOf,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Tests send from one address what many clients send. */
const LIMITS = {
  CAIRN_LIMIT_ADDRESS_PER_MINUTE: '1000000',
  CAIRN_LIMIT_KEY_PER_MINUTE: '1000000',
  CAIRN_LIMIT_PLAYER_PER_MINUTE: '1000000',
  CAIRN_LIMIT_USER_PER_MINUTE: '1000000',
  CAIRN_LIMIT_EXCHANGES_PER_MINUTE: '1000000',
  CAIRN_LIMIT_UPLOADS_PER_HOUR: '1000000',
  CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: '1000000000000',
  CAIRN_DISK_RESERVE_BYTES: '0',
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)
