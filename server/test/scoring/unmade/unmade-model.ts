import pg from 'pg'
import { expect } from 'vitest'
import { buildersOn } from '../../builders.ts'
import type { Caller, Service } from '../../service.ts'
import { sqlOn } from '../../sql.ts'
import { appUrl, makeSession, makeType, nextOf, playSession, rankOf } from '../scoring-steps.ts'
import { type CountedEntry, countedBoard, type Rules, type Which } from './counted-board.ts'

const COUNTRIES = ['DE', 'FR']
const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!

/** Holds up the fills of all boards, as a transaction does that writes scores, until it is called. Writes go on. */
export async function holdFills(service: Service): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('lock table player_best in row exclusive mode')
  let isHeld = true
  return async () => {
    if (isHeld) await client.end()
    isHeld = false
  }
}

type Reads = { sql: ReturnType<typeof sqlOn>; rules: Rules; which: Which; query: string }

const shown = (entries: CountedEntry[]) =>
  entries.map(({ playerId, playerScore, gameSessionId, ranking }) => ({
    playerId,
    playerScore,
    gameSessionId,
    ranking,
  }))

/** Compares every read of a board with counting. @param own the reader, a hidden player */
async function expectCounted(caller: Caller, players: string[], { sql, rules, which, query }: Reads, own?: string) {
  const board = await countedBoard(sql, which, rules, own)
  const others = board.filter(({ playerId }) => playerId !== own)
  const read = async (more: string) => {
    const { status, body, headers } = await caller.get(appUrl(`leaderboards/mini-game?${query}${more}`))
    expect({ query, more, status, body }).toMatchObject({ status: 200 })
    return { entries: shown(body.leaderboard), total: Number(headers.get('x-total-count')), next: nextOf(headers) }
  }
  expect(await read('')).toEqual({ entries: board, total: others.length, next: undefined })

  const pages: CountedEntry[] = []
  let page = await read('&limit=3')
  for (;;) {
    pages.push(...page.entries)
    if (!page.next) break
    const { status, body, headers } = await caller.get(page.next)
    expect({ query, status, body }).toMatchObject({ status: 200 })
    page = { entries: shown(body.leaderboard), total: 0, next: nextOf(headers) }
  }
  expect([query, pages]).toEqual([query, board])

  for (const id of players) {
    const place = board.findIndex(({ playerId }) => playerId === id)
    expect([id, await rankOf(caller, id, `?${query}`)]).toEqual([id, board[place]?.ranking])
    if (place < 0) {
      expect(await caller.get(appUrl(`leaderboards/mini-game?${query}&aroundPlayerId=${id}`))).toMatchObject({
        status: 404,
      })
      continue
    }
    // Around others, a hidden reader is not shown.
    const whole = id === own ? board : others
    const middle = whole.findIndex(({ playerId }) => playerId === id)
    const from = Math.max(0, Math.min(middle - 1, whole.length - 3))
    const { entries, total } = await read(`&limit=3&aroundPlayerId=${id}`)
    expect([id, entries, total]).toEqual([id, whole.slice(from, from + 3), others.length])
  }

  const some = players.filter((id) => id === own || Math.random() < 0.5)
  if (some.length === 0) return
  const among = board.filter(({ playerId }) => some.includes(playerId))
  const ranked = among.map((entry) => {
    const better = among.filter(({ playerId, ranking }) => playerId !== own && ranking < entry.ranking)
    return { ...entry, ranking: better.length + 1 }
  })
  expect((await read(`&playerIds=${some}`)).entries).toEqual(ranked)
}

/** Compares what is read of boards while they are made with counting, then the made boards, for one kind of type. */
export async function expectCountedMeanwhile(rules: Rules, service: Service, ...others: Service[]): Promise<void> {
  const given = buildersOn(service)
  const sql = sqlOn(service)
  const app = await given.app()
  const callers = [app, ...others.map((other) => other.as(app.headers))]
  const type = await makeType(app, 'Hunt', rules)
  const sessions = [await makeSession(app, { miniGameTypeId: type.id })]
  const players = await playSession(given, app, sessions[0]!.id, [5, 5, 2, 5, 0, 3, 3, 9, 1, undefined])
  const ids = players.map(({ id }) => id)
  for (const [n, id] of ids.entries())
    if (n % 3 < 2) await app.patch(appUrl(`players/${id}`), { attributes: { country: COUNTRIES[n % 3] } })
  const [{ from }] = (await sql<{ from: string }>(
    "select date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond' as from",
  )) as [{ from: string }]
  const startsAt = new Date(from).toISOString()
  sessions.push(await makeSession(app, { miniGameTypeId: type.id }))
  for (const id of ids) await app.post(appUrl(`game-sessions/${sessions[1]!.id}/players`), { playerId: id })
  const write = async () => {
    const id = pick(ids)
    const through = pick(callers)
    const draw = Math.random()
    const path = appUrl(`game-sessions/${pick(sessions).id}/players/${id}`)
    const { status } =
      draw < 0.2
        ? await through.patch(appUrl(`players/${id}`), {
            attributes: pick([null, ...COUNTRIES.map((country) => ({ country }))]),
          })
        : draw < 0.3 && id !== ids[0]
          ? await through.patch(appUrl(`players/${id}`), { standing: pick(['normal', 'hidden', 'banned']) })
          : draw < 0.35
            ? await through.delete(path)
            : await through.patch(path, { score: Math.floor(Math.random() * 6) })
    expect([200, 204, 403, 404]).toContain(status)
  }
  for (let i = 0; i < 15; i++) await write()
  await app.patch(appUrl(`players/${ids[0]}`), { standing: 'hidden', attributes: { country: 'DE' } })
  await app.patch(appUrl(`players/${ids[1]}`), { standing: 'banned' })
  const { body } = await app.post('/auth/player-token', { playerId: ids[0] })
  const own = (others.at(-1) ?? service).as({ ...app.headers, authorization: `Bearer ${body.playerToken}` })

  const release = await holdFills(service)
  try {
    const season = (await app.post(appUrl('seasons'), { name: 'Spring', miniGameTypeId: type.id, startsAt })).body
    await app.patch(appUrl(`mini-game-types/${type.id}`), { segments: ['country'] })
    const boards = (['', 'DE', 'FR'] as const).flatMap((country) =>
      (
        [
          ['', undefined],
          ['&window=month', undefined],
          [`&season=${season.id}`, startsAt],
        ] as const
      )
        .filter(([period]) => period || country)
        .map(([period, since]) => ({
          ...{ sql, rules },
          which: { typeId: type.id, from: since, country: country || undefined } as Which,
          query: `miniGameTypeId=${type.id}${period}${country && `&segment=country:${country}`}`,
        })),
    )
    const compare = async () => {
      for (const board of boards) {
        await expectCounted(pick(callers), ids, board)
        await expectCounted(own, [ids[0]!, pick(ids.slice(1))], board, ids[0]!)
      }
    }
    await compare()
    for (let i = 0; i < 15; i++) {
      await write()
      await expectCounted(pick(callers), [pick(ids)], pick(boards))
    }
    await compare()
    const unmade = `select (select count(*) from period_boards where type_key = $1 and not is_ready)
                         + (select count(*) from mini_game_types where id = $1 and not are_segments_ready) as unmade`
    const left = async () => (await sql<{ unmade: number }>(unmade, [type.id]))[0]!.unmade
    expect(await left()).toBe(3)

    await release()
    for (const { query } of boards) await app.get(appUrl(`leaderboards/mini-game?${query}`))
    await expect.poll(left, { timeout: 20_000 }).toBe(0)
    await compare()
  } finally {
    await release()
  }
}
