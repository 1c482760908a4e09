import { randomBytes, randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { packChanges } from '../../../server/modules/scoring/ranks/redis/rank-changes.ts'
import { boardKeys, RECORD_BYTES, rankCommands } from '../../../server/modules/scoring/ranks/redis/rank-scripts.ts'
import { startRedis } from '../../peers/redis.ts'
import type { Comparison } from '../../record/comparison.ts'

const samples = 40_000
/** Concurrent commands, as from busy processes. */
const atOnce = 64
const atOnceRecords = 500

/**
 * A shared board in Redis (guarded by versions, a generation and the run of the server) against a plain sorted set of the same
 * players: memory, and the CPU time of Redis itself, which is the bottleneck.
 */
export async function benchRanksRedis(_databaseUrl: string, size = 1_000_000): Promise<Comparison[]> {
  const redis = await startRedis()
  if (!redis) return []
  const { client } = redis
  try {
    const commands = rankCommands(client)
    const keys = boardKeys('bench', randomUUID(), randomUUID())
    const players = Array.from({ length: size }, () => randomBytes(16))
    const scores = Float64Array.from(players, () => Math.random() * 1e9)

    const empty = await memory(client)
    const plainLoad = await redisSeconds(client, async () => {
      for (let at = 0; at < size; at += atOnceRecords) {
        const some = players.slice(at, at + atOnceRecords)
        await client.zadd('plain', ...some.flatMap((player, i) => [scores[at + i]!, player]))
      }
    })
    const plain = await memory(client)
    const ourLoad = await redisSeconds(client, async () => {
      await commands.cairnRankBegin(...keys, 'a load', 'now', 60_000)
      await commands.cairnRankOpened(...keys, 'a load', 1, 1, ',')
      for (let at = 0; at < size; at += atOnceRecords) {
        const records = Buffer.alloc(Math.min(atOnceRecords, size - at) * RECORD_BYTES)
        for (let i = 0; i * RECORD_BYTES < records.length; i++) {
          players[at + i]!.copy(records, i * RECORD_BYTES)
          records.writeDoubleBE(scores[at + i]!, i * RECORD_BYTES + 16)
        }
        await commands.cairnRankFill(...keys, 'a load', records, 60_000)
      }
      await commands.cairnRankFinish(...keys, 'a load')
    })
    const loaded = await memory(client)

    const one = () => Math.floor(Math.random() * size)
    const plainMoves = await redisSeconds(client, () =>
      many(async () => {
        const score = Math.random() * 1e9
        await Promise.all([client.zadd('plain', score, players[one()]!), client.zcount('plain', `(${score}`, '+inf')])
      }),
    )
    let version = 0
    const ourMoves = await redisSeconds(client, () =>
      many(async () => {
        const score = Math.random() * 1e9
        const playerId = players[one()]!.toString('hex')
        const change = { appId: '', boardKey: '', playerId, from: null, to: score, xid: 10, version: ++version }
        await Promise.all([
          commands.cairnRankChange(...keys, packChanges([change])[0]!),
          commands.cairnRankLook(...keys, 'now', String(score)),
        ])
      }),
    )
    const compare = (name: string, unit: string, ours: number, peer: number, target: string): Comparison => ({
      name,
      ours: { [unit]: ours },
      peer: { [unit]: peer },
      ratio: ours / peer,
      target,
    })
    return [
      compare(
        'Redis: memory of a loaded board',
        'bytesAPlayer',
        (loaded - plain) / size,
        (plain - empty) / size,
        '≤ 1.1',
      ),
      compare('Redis: load', 'microsecondsAPlayer', (ourLoad / size) * 1e6, (plainLoad / size) * 1e6, '≤ 2'),
      compare(
        'Redis: update and rank',
        'microseconds',
        (ourMoves / samples) * 1e6,
        (plainMoves / samples) * 1e6,
        '≤ 4',
      ),
    ]
  } finally {
    await redis.stop()
  }
}

async function many(work: () => Promise<unknown>): Promise<void> {
  let left = samples
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await work()
    }),
  )
}

async function memory(client: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await client.info('memory'))![1])
}

/** CPU time of Redis, including network I/O. */
async function redisSeconds(client: Redis, work: () => Promise<unknown>): Promise<number> {
  const used = async () => {
    const text = await client.info('cpu')
    return ['user', 'sys'].reduce(
      (sum, kind) => sum + Number(new RegExp(`used_cpu_${kind}:([\\d.]+)`).exec(text)![1]),
      0,
    )
  }
  const before = await used()
  await work()
  return (await used()) - before
}
