import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../../test/builders.ts'
import { eventStreams } from '../../../../test/network/event-stream.ts'
import { severalProcesses } from '../../../../test/processes/several-processes.ts'
import { boardsOf, type Crowd, crowd, ranksInSql, ranksOf, writeThrough } from '../../../../test/scoring/rank-crowd.ts'
import { appUrl, makeSession, playSession, setScore } from '../../../../test/scoring/scoring-steps.ts'
import { expectCountedSegments } from '../../../../test/scoring/segment-model.ts'
import { expectCountedMeanwhile } from '../../../../test/scoring/unmade/unmade-model.ts'
import { bytesOfBoard } from '../memory/rank-index-cache.ts'

describe('two serving processes with a coordinator', () => {
  let all: Awaited<ReturnType<typeof severalProcesses>>
  let some: Crowd
  beforeAll(async () => {
    all = await severalProcesses()
    some = await crowd(buildersOn(all.one))
  })
  const { open, closeAll } = eventStreams()
  afterEach(closeAll)
  afterAll(() => all?.stop())
  const both = () => [all.one, all.other].map((service) => service.as(some.app.headers))

  test('return the counted ranks from memory after concurrent writes to both', { tags: ['long'] }, async () => {
    for (let round = 0; round < 3; round++) {
      await writeThrough(some, both())
      const truth = await ranksInSql(all.one, some.app.id)
      for (const caller of both()) expect(await ranksOf(caller, some.players)).toEqual(truth)
      const loaded = () => all.metric('cairn_rank_bytes', 'coordinator')
      await expect.poll(loaded).toBeGreaterThanOrEqual(boardsOf(truth) * bytesOfBoard)
      for (const caller of both()) expect(await ranksOf(caller, some.players)).toEqual(truth)
    }
    expect(await all.metric('cairn_rank_mismatches', 'coordinator')).toBe(0)
  })

  test('return the counted ranks in segments after concurrent writes to both', { tags: ['long'] }, () =>
    expectCountedSegments(all.one, all.other),
  )

  test('return the counted entries of boards that are being made', { tags: ['long'] }, () =>
    expectCountedMeanwhile({ sortOrder: 'desc', scoreMode: 'best', ties: 'first' }, all.one, all.other),
  )

  test('answer a refused score, and one of a player who is not there, as a single process does', async () => {
    const [app, elsewhere] = both()
    const { id } = await makeSession(app!)
    const [player] = await playSession(buildersOn(all.one), app!, id, [1])
    const path = appUrl(`game-sessions/${id}/players/${player!.id}`)
    await elsewhere!.patch(appUrl(`players/${player!.id}`), { standing: 'banned' })
    expect(await app!.patch(path, { score: 3 })).toMatchObject({ status: 403 })
    expect(await elsewhere!.patch(appUrl(`game-sessions/${id}/players/nobody`), { score: 3 })).toMatchObject({
      status: 404,
    })
  })

  test('send a score written through one to a stream at the other', async () => {
    const given = buildersOn(all.one)
    const app = await given.app()
    const { id } = await makeSession(app)
    const [player] = await playSession(given, app, id, [3])
    const stream = await open(`${all.other.url}${appUrl('leaderboards/stream')}`, app.headers)
    await stream.next()
    await setScore(app, id, player!.id, 7)
    expect(JSON.stringify(await stream.next())).toContain('"playerScore":7')
  })
})
