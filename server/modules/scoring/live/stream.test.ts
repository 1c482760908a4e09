import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { boardAfter, type EventStream, eventStreams, openEventStream } from '../../../test/network/event-stream.ts'
import { appUrl, makeSession, makeType, playSession, setScore } from '../../../test/scoring/scoring-steps.ts'
import { startSecondService } from '../../../test/second-service.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
})
const { open, closeAll } = eventStreams()
afterEach(closeAll)
afterAll(() => service.stop())

const path = appUrl('leaderboards/stream')
const listen = (headers: Record<string, string>, query = '') => open(service.url + path + query, headers)
const boardOf = async (app: Caller, query = '') =>
  (await app.get(appUrl(`leaderboards/mini-game${query}`))).body.leaderboard

/** Takes events in until the board of the stream is the one that GET answers. */
async function catchUp(stream: EventStream, board: ReturnType<typeof boardAfter>, app: Caller, query = '') {
  const goal = JSON.stringify(await boardOf(app, query))
  let now = board
  while (JSON.stringify(now) !== goal) now = boardAfter(now, await stream.next())
  return now
}

describe('the stream of a leaderboard', () => {
  test('starts with the board as GET returns it, unbuffered by proxies and readable from other origins', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    await playSession(given, app, id, [3, 9, 9])
    const stream = await listen({ ...app.headers, origin: 'https://game.example' })
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/event-stream/),
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
      'access-control-allow-origin': '*',
    })
    const first = await stream.next()
    expect(first).toMatchObject({ event: 'board', id: expect.stringMatching(/^[0-9a-f]+-0$/) })
    expect(first.data).toEqual((await app.get(appUrl('leaderboards/mini-game'))).body)
    const two = await listen(app.headers, '?limit=2')
    expect((await two.next()).data).toEqual((await app.get(appUrl('leaderboards/mini-game?limit=2'))).body)
  })

  test('names its type as it is called now, also while others listen since before', async () => {
    const app = await given.app()
    const hunt = await makeType(app, 'Hunt')
    for (const name of ['Hunt', 'Chase']) {
      await app.patch(appUrl(`mini-game-types/${hunt.id}`), { name })
      const stream = await listen(app.headers, `?miniGameTypeId=${hunt.id}`)
      expect((await stream.next()).data).toEqual({ miniGameTypeId: hunt.id, miniGameTypeName: name, leaderboard: [] })
    }
  })

  test('continues with the changes: players added, moved and removed, and nothing of other boards', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [low, high] = await playSession(given, app, id, [3, 9])
    const stream = await listen(app.headers)
    let board = boardAfter([], await stream.next())

    await setScore(app, id, low!.id, 20)
    const rise = await stream.next()
    expect(rise).toMatchObject({
      event: 'entries',
      id: expect.stringMatching(/-1$/),
      data: { changed: [{ playerId: low!.id, playerScore: 20, ranking: 1, index: 0 }], removed: [] },
    })
    board = boardAfter(board, rise)
    expect(board).toEqual(await boardOf(app))

    const elsewhere = await makeSession(app, { miniGameTypeId: (await makeType(app, 'Other')).id })
    await playSession(given, app, elsewhere.id, [100])
    await app.delete(appUrl(`game-sessions/${id}/players/${high!.id}`))
    const removal = await stream.next()
    expect(removal).toMatchObject({ id: expect.stringMatching(/-2$/), data: { changed: [], removed: [high!.id] } })
    board = boardAfter(board, removal)
    expect(board).toEqual(await boardOf(app))

    // A name is no score, and is seen all the same.
    await app.patch(appUrl(`players/${low!.id}`), { displayName: 'Renamed' })
    expect((await stream.next()).data).toMatchObject({ changed: [{ playerDisplayName: 'Renamed', index: 0 }] })
    await app.delete(appUrl(`players/${low!.id}`))
    expect((await stream.next()).data).toEqual({ changed: [], removed: [low!.id] })
  })

  test('many writes while it runs end in the same board as GET, for a long list and for a short one', {
    tags: ['long'],
  }, async () => {
    const app = await given.app()
    await makeType(app, 'Race', { sortOrder: 'asc' })
    const { id } = await makeSession(app, { miniGameTypeName: 'Race' })
    const players = await playSession(given, app, id, Array(30).fill(50))
    const queries = ['?miniGameTypeName=Race', '?miniGameTypeName=race&limit=5']
    const streams = await Promise.all(queries.map((query) => listen(app.headers, query)))
    await Promise.all(
      players.map(async (player, i) => {
        for (let turn = 0; turn < 10; turn++) {
          await setScore(app, id, player.id, (turn * 7 + i * 5) % 11)
          if ((turn + i) % 7 === 0) {
            await app.delete(appUrl(`game-sessions/${id}/players/${player.id}`))
            await app.post(appUrl(`game-sessions/${id}/players`), { playerId: player.id })
          }
        }
      }),
    )
    for (const [i, stream] of streams.entries()) {
      const board = await catchUp(stream, [], app, queries[i])
      expect(board).toHaveLength(i === 0 ? (await boardOf(app, queries[0])).length : 5)
    }
  })

  test('who comes back with the last id gets what it missed, by header or in the query', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [one, two] = await playSession(given, app, id, [1, 2])
    const first = await listen(app.headers)
    let { id: lastId } = await first.next()
    let board = await boardOf(app)
    first.close()

    for (const resume of [
      (since: string) => listen({ ...app.headers, 'last-event-id': since }),
      (since: string) => listen(app.headers, `?lastEventId=${since}`),
    ]) {
      await setScore(app, id, one!.id, board[0].playerScore + 1)
      const again = await resume(lastId)
      const missed = await again.next()
      expect(missed.event).toBe('entries')
      board = boardAfter(board, missed)
      expect(board).toEqual(await boardOf(app))
      // While it listens: two changes, of which the client misses the second.
      await setScore(app, id, two!.id, board[0]!.playerScore + 1)
      const seen = await again.next()
      board = boardAfter(board, seen)
      lastId = seen.id
      again.close()
    }

    // Nothing missed: nothing is sent, until something changes.
    const idle = await listen({ ...app.headers, 'last-event-id': lastId })
    await setScore(app, id, one!.id, 1000)
    const event = await idle.next()
    expect([event.event, boardAfter(board, event)]).toEqual(['entries', await boardOf(app)])
  })

  test('an id that is not known, of another board, or of the future gets the whole board', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    await playSession(given, app, id, [1])
    const known = (await (await listen(app.headers)).next()).id
    const ofOther = (await (await listen(app.headers, '?limit=5')).next()).id
    for (const since of ['nonsense', '', 'abcdef-0', `${known}999`, known.replace('-', '--'), ofOther]) {
      const stream = await listen({ ...app.headers, 'last-event-id': since })
      expect((await stream.next()).event, since).toBe('board')
    }
  })

  test('fifty listeners hear the same', async () => {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [player] = await playSession(given, app, id, [1])
    const streams = await Promise.all(Array.from({ length: 50 }, () => listen(app.headers)))
    const firsts = await Promise.all(streams.map((stream) => stream.next()))
    expect(new Set(firsts.map((event) => JSON.stringify(event))).size).toBe(1)
    await setScore(app, id, player!.id, 5)
    const changes = await Promise.all(streams.map((stream) => stream.next()))
    expect(new Set(changes.map((event) => JSON.stringify(event))).size).toBe(1)
    expect(changes[0]!.data).toMatchObject({ changed: [{ playerScore: 5 }] })
  })

  test('ends when its app key ends or its type is hidden; a type that is not there is 404', async () => {
    const app = await given.app()
    const hunt = await makeType(app, 'Hunt')
    const [ofDefault, ofType] = [await listen(app.headers), await listen(app.headers, '?miniGameTypeName=hunt')]
    await Promise.all([ofDefault.next(), ofType.next()])
    await app.delete(appUrl(`mini-game-types/${hunt.id}`))
    await ofType.ended
    expect(await app.get(`${path}?miniGameTypeId=${hunt.id}`)).toMatchObject({ status: 404 })
    expect(await app.get(`${path}?limit=1001`)).toMatchObject({ status: 400 })
    await sql('update app_keys set expires_at = clock_timestamp() where app_id = $1', [app.id])
    await ofDefault.ended
    await expect(ofDefault.next()).rejects.toThrow('ended')
  })

  test('is open to a member, with no view of the app key, and ends with the membership or the session', async () => {
    const owner = await given.user()
    const app = await given.app({ owner })
    const membership = appUrl(`${app.id}/members`)
    const [left, out, stranger] = [await given.user(), await given.user(), await given.user()]
    const streams: EventStream[] = []
    for (const user of [left, out]) {
      await owner.post(membership, { userId: user.id, role: 'viewer' })
      const stream = await listen({ ...user.headers, 'x-app-id': app.id })
      expect((await stream.next()).event).toBe('board')
      streams.push(stream)
    }
    expect((await listen({ ...stranger.headers, 'x-app-id': app.id })).status).toBe(404)
    expect(await sql("select from audit_log where action = 'app_key.viewed' and subject = $1", [app.id])).toEqual([])
    await owner.delete(`${membership}/${left.id}`)
    await streams[0]!.ended
    await out.post('/auth/sign-out')
    await streams[1]!.ended
  })

  test('is closed when its client disconnects, at any moment', async () => {
    const app = await given.app()
    const openStreams = async () =>
      Number(/^cairn_leaderboard_streams (\d+)$/m.exec((await service.anonymous.get('/metrics')).body)![1])
    const before = await openStreams()
    const { port } = new URL(service.url)
    for (let i = 0; i < 40; i++) {
      const client = connect(Number(port), '127.0.0.1')
      client.write(`GET ${path}?limit=${i + 1} HTTP/1.1\r\nhost: x\r\nx-app-api-key: ${app.key}\r\n\r\n`)
      setTimeout(() => client.destroy(), i / 2)
    }
    const stays = await listen(app.headers)
    await stays.next()
    while ((await openStreams()) !== before + 1) await sleep(20)
    await sleep(100)
    // One that was still being looked up may open for a moment.
    await expect.poll(openStreams).toBe(before + 1)
  })

  test('answers no HEAD, which would never end', async () => {
    const app = await given.app()
    expect(await service.request('HEAD', path, undefined, app.headers)).toMatchObject({ status: 405 })
  })
})

test('a service that stops ends its streams, and does not wait for a reader that takes nothing', {
  tags: ['long'],
}, async () => {
  const short = await startService()
  const app = await buildersOn(short).app()
  const streams = await Promise.all(
    Array.from({ length: 5 }, () => openEventStream(`${short.url}${path}`, app.headers)),
  )
  await Promise.all(streams.map((stream) => stream.next()))
  const silent = connect(Number(new URL(short.url).port), '127.0.0.1')
  silent.pause()
  silent.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nx-app-api-key: ${app.key}\r\n\r\n`)
  await sleep(100)
  await short.stop()
  await Promise.all(streams.map((stream) => stream.ended))
  silent.destroy()
})

test('what is written at one process is seen by those who listen at another, in the same order of events', {
  tags: ['long'],
}, async () => {
  const other = await startSecondService(service, { CAIRN_ROLE: 'api' })
  try {
    const app = await given.app()
    const { id } = await makeSession(app)
    const [player] = await playSession(given, app, id, [1])
    const stream = await open(other.url + path, app.headers)
    let board = boardAfter([], await stream.next())
    for (const score of [5, 6, 7]) {
      await setScore(app, id, player!.id, score)
      board = await catchUp(stream, board, app)
      expect(board).toMatchObject([{ playerId: player!.id, playerScore: score }])
    }
    await app.delete(appUrl(`players/${player!.id}`))
    await catchUp(stream, board, app)
  } finally {
    await other.stop()
  }
})
