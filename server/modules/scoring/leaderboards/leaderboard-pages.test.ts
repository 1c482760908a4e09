import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../platform/database/database.ts'
import { createOwnUrls } from '../../../platform/storage/own-urls.ts'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { allPages, type Entry, entriesOf, scoresAndRanks } from '../../../test/scoring/board-steps.ts'
import { appUrl, makeSession, nextOf, playSession, setScore, unknownId } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'
import { hiddenScoreStore } from '../rankings/hidden-score-store.ts'
import { rankingStore } from '../rankings/ranking-store.ts'
import { defaultGame } from '../types/store.ts'
import { storesOf } from './board-sql.ts'
import { leaderboardService } from './service.ts'
import { sessionBoardStore } from './session-board-store.ts'
import { leaderboardStore } from './store.ts'
import { topReader } from './top-reader.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

describe('the leaderboard of a type', () => {
  test('pages by cursor show each player once, with its rank, and x-total-count says how many are ranked', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    await playSession(given, app, id, [5, 9, 7, 7, undefined, 7, 7, 1, 9])
    const whole = await entriesOf(app, 'leaderboards/mini-game')
    const ranks = [
      [9, 1],
      [9, 1],
      [7, 3],
      [7, 3],
      [7, 3],
      [7, 3],
      [5, 7],
      [1, 8],
    ]
    expect(scoresAndRanks(whole)).toEqual(ranks)
    // Once while the index of the board is not loaded, or only about to be; then from it.
    for (const limit of [1, 2, 3, 5, 7, 8, 1, 2, 3]) {
      expect(await allPages(app, `leaderboards/mini-game?limit=${limit}`), `limit ${limit}`).toEqual(whole)
    }
    const { headers } = await app.get(appUrl('leaderboards/mini-game?limit=2'))
    expect([headers.get('x-total-count'), nextOf(headers)]).toEqual(['8', expect.stringContaining('limit=2')])
    const last = await app.get(appUrl('leaderboards/mini-game?limit=8'))
    expect([last.headers.get('x-total-count'), nextOf(last.headers)]).toEqual(['8', undefined])
    for (const cursor of ['x', 'W10', Buffer.from('[1,"now","x"]').toString('base64url')])
      expect(await app.get(appUrl(`leaderboards/mini-game?cursor=${cursor}`))).toMatchObject({
        status: 400,
        body: { error: [{ path: ['cursor'] }] },
      })
  })

  test('pages and neighbours are the same while the rank index of the board cannot say', {
    tags: ['long'],
  }, async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const players = await playSession(given, app, id, [5, 9, 7, 7, 7, 1, 9])
    const db = openDatabase({ url: service.databaseUrl, applicationName: 'cairn-test', max: 4 })
    const ownUrls = createOwnUrls(() => service.url)
    const stores = storesOf(() => leaderboardStore(db.pool, { ownUrls }))
    const bySql = leaderboardService({
      stores,
      choose: async (appId) => ({
        appId,
        key: defaultGame,
        wholeKey: defaultGame,
        typeKey: defaultGame,
        type: undefined,
        period: undefined,
      }),
      sessionBoards: sessionBoardStore(db.pool, ownUrls.written),
      computed: () => undefined,
      session: () => Promise.reject(new Error('not expected')),
      index: { above: () => undefined },
      readTop: topReader({ stores, tops: undefined }),
      hiddenScores: hiddenScoreStore(db.pool, ownUrls.written),
      size: ({ appId, key }) => rankingStore(db.pool).size(appId, key),
      rankOutside: () => Promise.reject(new Error('not expected')),
    })
    const whole = await entriesOf(app, 'leaderboards/mini-game')
    for (let limit = 1; limit < 8; limit++) {
      const pages: unknown[] = []
      let cursor: string | undefined
      do {
        const { entries, total, next } = await bySql.ofType(app.id, { limit, cursor })
        expect(total).toBe(7)
        pages.push(...JSON.parse(`[${entries}]`))
        cursor = next
      } while (cursor)
      expect(pages, `limit ${limit}`).toEqual(whole)
      for (const player of players) {
        const inMemory = await entriesOf(app, `leaderboards/mini-game?limit=${limit}&aroundPlayerId=${player.id}`)
        const { entries } = await bySql.ofType(app.id, { limit, aroundPlayerId: player.id })
        expect(JSON.parse(`[${entries}]`)).toEqual(inMemory)
      }
    }
    await db.close()
  })

  test('a page continues after the previous one, with writes in between', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [a, b, c, d] = await playSession(given, app, id, [40, 30, 20, 10])
    const first = await app.get(appUrl('leaderboards/mini-game?limit=2'))
    await setScore(app, id, d!.id, 50) // overtakes what was seen
    await setScore(app, id, b!.id, 25) // the very one that the cursor names
    const second = await app.get(nextOf(first.headers)!)
    expect(first.body.leaderboard.map((entry: Entry) => entry.playerId)).toEqual([a!.id, b!.id])
    expect(second.body.leaderboard).toMatchObject([
      { playerId: b!.id, playerScore: 25, ranking: 3 },
      { playerId: c!.id, playerScore: 20, ranking: 4 },
    ])
  })

  test('around a player shows it in the middle; near an end the window moves and stays full', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const players = await playSession(
      given,
      app,
      id,
      Array.from({ length: 15 }, (_, i) => 100 - i),
    )
    const around = async (place: number, limit?: number) => {
      const query = `aroundPlayerId=${players[place]!.id}${limit === undefined ? '' : `&limit=${limit}`}`
      const entries = await entriesOf(app, `leaderboards/mini-game?${query}`)
      for (const { ranking, playerId } of entries) expect(playerId).toBe(players[ranking - 1]!.id)
      return entries.map(({ ranking }) => ranking)
    }
    const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)
    for (let again = 0; again < 2; again++) {
      expect(await around(7)).toEqual(from(3, 13)) // the default is 11
      expect(await around(7, 5)).toEqual(from(6, 10))
      expect(await around(7, 4)).toEqual(from(7, 10)) // one before, two after
      expect(await around(7, 1)).toEqual([8])
      expect(await around(0, 5)).toEqual(from(1, 5))
      expect(await around(1, 5)).toEqual(from(1, 5))
      expect(await around(13, 5)).toEqual(from(11, 15))
      expect(await around(14, 5)).toEqual(from(11, 15))
      expect(await around(14, 1000)).toEqual(from(1, 15))
    }
    const answer = await app.get(
      appUrl(`leaderboards/mini-game?aroundPlayerId=${players[7]!.id.toUpperCase()}&limit=3`),
    )
    expect(answer.headers.get('x-total-count')).toBe('15')
    expect(answer.headers.get('link')).toBeNull()
  })

  test('around a player without a ranking is 404, around an unknown one 400; with a cursor as well 400', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [unscored, scored] = await playSession(given, app, id, [undefined, 5])
    const around = (playerId: string) => app.get(appUrl(`leaderboards/mini-game?aroundPlayerId=${playerId}`))
    expect(await around(unscored!.id)).toMatchObject({
      status: 404,
      body: { error: 'This player has no ranking on this leaderboard' },
    })
    const stranger = await given.player(await given.app())
    for (const playerId of [stranger.id, unknownId, 'no-id', ''])
      expect(await around(playerId), playerId).toMatchObject({
        status: 400,
        body: { error: [{ code: 'custom', path: ['aroundPlayerId'] }] },
      })
    expect(await app.get(appUrl(`leaderboards/mini-game?aroundPlayerId=${scored!.id}&cursor=x`))).toMatchObject({
      status: 400,
    })
  })

  test('a cursor that no page returned is 400', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const moments = ['2026-02-30 10:00:00+00', '9999-99-99 99:99:99+00', '-------------------+00', '2026-01-31']
    const forged = [...moments.map((moment) => [1, moment, unknownId]), [1, '2026-01-31 10:00:00+00', 'no-id'], {}, 'x']
    for (const values of forged) {
      const cursor = Buffer.from(JSON.stringify(values)).toString('base64url')
      for (const board of ['leaderboards/mini-game', `game-sessions/${id}/leaderboard`])
        expect(await app.get(appUrl(`${board}?cursor=${cursor}`)), JSON.stringify(values)).toMatchObject({
          status: 400,
          body: { error: [{ path: ['cursor'] }] },
        })
    }
  })
})
