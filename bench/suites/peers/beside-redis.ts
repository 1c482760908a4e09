import { RankIndex } from '../../../server/modules/scoring/ranks/memory/rank-index.ts'
import { closedLoop, type Throughput } from '../../load/closed-loop.ts'
import { startRedis } from '../../peers/redis.ts'
import { withBoardService } from '../../processes/board-service.ts'
import type { Comparison } from '../../record/comparison.ts'
import { cairnOperations } from './operations.ts'

const CLIENTS = 16
const PIPELINE = 200

/** Writes a score of a random player, then reads its rank: the index beside Redis, and the service beside Redis. */
export async function besideRedis(url: string, size: number, ms: number): Promise<Comparison[]> {
  const redis = await startRedis()
  if (!redis) {
    console.error('  Redis could not be installed: its comparisons are skipped')
    return []
  }
  try {
    const { client } = redis
    const members = Array.from({ length: size }, (_, n) => `player-${n}`)
    for (let from = 0; from < size; from += 1000)
      await client.zadd('board', ...members.slice(from, from + 1000).flatMap((one) => [Math.random() * 1e9, one]))
    const some = () => members[Math.floor(Math.random() * size)]!

    const scores = Float64Array.from({ length: size }, () => Math.random() * 1e9)
    const index = RankIndex.fromSorted(scores.toSorted())
    const times = 500_000
    const start = performance.now()
    for (let n = 0; n < times; n++) {
      const at = Math.floor(Math.random() * size)
      const score = Math.random() * 1e9
      index.move(scores[at]!, score)
      scores[at] = score
      index.above(score)
    }
    const inIndex = ((performance.now() - start) * 1000) / times

    const turns = Math.ceil(50_000 / PIPELINE)
    const startedAt = performance.now()
    for (let turn = 0; turn < turns; turn++) {
      const pipeline = client.pipeline()
      for (let n = 0; n < PIPELINE; n++) {
        const score = Math.random() * 1e9
        pipeline.zadd('board', score, some()).zcount('board', `(${score}`, '+inf')
      }
      await pipeline.exec()
    }
    const piped = ((performance.now() - startedAt) * 1000) / (turns * PIPELINE)

    const raw = await closedLoop(CLIENTS, ms, async () => {
      const score = Math.random() * 1e9
      await client.zadd('board', score, some())
      await client.zcount('board', `(${score}`, '+inf')
    })
    const ours = await cycles(url, size, ms)
    return [
      {
        name: `update and rank at ${size}: the index / Redis ZADD and ZCOUNT, ${PIPELINE} a pipeline`,
        ours: { µs: inIndex },
        peer: { µs: piped },
        ratio: inIndex / piped,
        target: '≤ 0.2',
      },
      {
        name: `score and rank at ${size}: HTTP, checked and durable / Redis in memory, ${CLIENTS} clients`,
        ours,
        peer: raw,
        ratio: ours.perSecond / raw.perSecond,
        target: 'none: raw Redis keeps nothing, checks nothing and speaks no HTTP',
      },
    ]
  } finally {
    await redis.stop()
  }
}

/** Writes and ranks scores through the whole service, in its own process. */
function cycles(url: string, size: number, ms: number): Promise<Throughput> {
  return withBoardService(url, size, async (parts) => {
    const cycle = (await cairnOperations(parts))['a score and its rank']
    await closedLoop(CLIENTS, ms / 4, cycle)
    return await closedLoop(CLIENTS, ms, cycle)
  })
}
