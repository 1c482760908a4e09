import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { formOf } from '../../../test/multipart.ts'
import { startSecondService } from '../../../test/second-service.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
let database: pg.Client
beforeAll(async () => {
  service = await startService()
  database = new pg.Client({ connectionString: service.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await service.stop()
})

const withKey = (caller: { headers: Record<string, string> }, key: string) =>
  service.as({ ...caller.headers, 'idempotency-key': key })
const players = async (app: Caller) => (await app.get('/api/v1/apps/players')).body.players.length
let count = 0
const newKey = () => `key-${++count}`

describe('Idempotency-Key', () => {
  test('a repeat gets the first response, and nothing is repeated', async () => {
    const app = await buildersOn(service).app()
    const caller = withKey(app, newKey())
    const first = await caller.post('/api/v1/apps/players', { displayName: 'Ada' })
    const again = await caller.post('/api/v1/apps/players', { displayName: 'Ada' })
    expect(again).toMatchObject({ status: 200, body: first.body })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect(await players(app)).toBe(1)
  })

  test('an error is repeated too: a taken name stays taken for this key', async () => {
    const given = buildersOn(service)
    const app = await given.app()
    const ada = await given.player(app, 'Ada')
    const caller = withKey(app, newKey())
    expect((await caller.post('/api/v1/apps/players', { displayName: 'Ada' })).status).toBe(409)
    await app.patch(`/api/v1/apps/players/${ada.id}`, { displayName: 'Augusta' })
    expect((await caller.post('/api/v1/apps/players', { displayName: 'Ada' })).status).toBe(409)
    expect((await app.post('/api/v1/apps/players', { displayName: 'Ada' })).status).toBe(200)
  })

  test('another body, path or method with the key is 409', async () => {
    const given = buildersOn(service)
    const app = await given.app()
    const caller = withKey(app, newKey())
    const { body } = await caller.post('/api/v1/apps/players', { displayName: 'Ada' })
    expect(await caller.post('/api/v1/apps/players', { displayName: 'Bob' })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('another request') },
    })
    expect((await caller.post('/api/v1/apps/mini-game-types', { name: 'Ada' })).status).toBe(409)
    expect((await caller.patch(`/api/v1/apps/players/${body.id}`, { displayName: 'Ada' })).status).toBe(409)
    expect(await players(app)).toBe(1)
  })

  test('an invalid body does not use up the key', async () => {
    const app = await buildersOn(service).app()
    const caller = withKey(app, newKey())
    expect((await caller.post('/api/v1/apps/players', { displayName: '' })).status).toBe(400)
    expect((await caller.post('/api/v1/apps/players', { displayName: 'Ada' })).status).toBe(200)
  })

  test('keys are separate for each credential: two apps, a user and anonymous callers', async () => {
    const given = buildersOn(service)
    const [one, other, user] = [await given.app(), await given.app(), await given.user()]
    const key = newKey()
    const a = await withKey(one, key).post('/api/v1/apps/players', { displayName: 'Ada' })
    const b = await withKey(other, key).post('/api/v1/apps/players', { displayName: 'Bob' })
    const c = await withKey(user, key).post('/api/zones', { title: 'Park' })
    expect([a.status, b.status, c.status]).toEqual([200, 200, 201])
  })

  test('of concurrent requests one is carried out; the others are 409, and later get its response', async () => {
    const app = await buildersOn(service).app()
    const caller = withKey(app, newKey())
    const create = () => caller.post('/api/v1/apps/game-sessions', { name: 'Saturday' })
    const answers = await Promise.all(Array.from({ length: 24 }, create))
    const created = answers.filter(({ status }) => status === 201)
    expect(new Set(created.map(({ body }) => body.id)).size).toBe(1)
    expect(answers.filter(({ status }) => status !== 201).every(({ status }) => status === 409)).toBe(true)
    expect((await create()).body.id).toBe(created[0]!.body.id)
    expect((await app.get('/api/v1/apps/game-sessions')).body.gameSessions).toHaveLength(1)
  })

  test('of concurrent requests through two processes one is carried out', async () => {
    const other = await startSecondService(service)
    const app = await buildersOn(service).app()
    const headers = { ...app.headers, 'idempotency-key': newKey() }
    const callers = [service.as(headers), other.as(headers)]
    const create = (i: number) => callers[i % 2]!.post('/api/v1/apps/game-sessions', { name: 'Saturday' })
    const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => create(i)))
    expect(new Set(answers.flatMap(({ status, body }) => (status === 201 ? [body.id] : []))).size).toBe(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]))
    expect((await create(0)).body.id).toBe((await create(1)).body.id)
    expect((await app.get('/api/v1/apps/game-sessions')).body.gameSessions).toHaveLength(1)
    await other.stop()
  })

  test('an upload is compared by content: the same bytes return the first file, others are 409', async () => {
    const caller = withKey({ headers: {} }, newKey())
    const upload = (bytes: string, name = 'a.txt') => caller.post('/api/upload', formOf({ name, bytes }))
    const first = await upload('hello')
    const again = await upload('hello')
    expect(again.body).toEqual(first.body)
    expect(first.body.results[0].fileId).toBeGreaterThan(0)
    expect((await upload('other')).status).toBe(409)
    expect((await upload('hello', 'b.txt')).status).toBe(409)
    const { rows } = await database.query(
      `select count(*)::int as n from files where sha256 = encode(sha256('hello'), 'hex')`,
    )
    expect(rows[0].n).toBe(1)
  })

  test('an upload is compared by content however its content type is written', async () => {
    const key = newKey()
    const upload = async (bytes: string) => {
      const form = new Response(formOf({ name: 'a.txt', bytes }))
      const type = form.headers.get('content-type')!.replace('multipart/form-data', 'Multipart/Form-Data')
      const caller = service.as({ 'idempotency-key': key, 'content-type': type })
      return caller.post('/api/upload', new Uint8Array(await form.arrayBuffer()))
    }
    expect((await upload('one')).status).toBe(200)
    expect((await upload('two')).status).toBe(409)
  })

  test('a refused upload can be sent again with the same key', async () => {
    const caller = withKey({ headers: {} }, newKey())
    expect((await caller.post('/api/upload/convert', formOf({ name: 'a.glb', bytes: 'no glb' }))).status).toBe(400)
    expect((await caller.post('/api/upload/convert', formOf({ name: 'a.txt', bytes: 'text' }))).status).toBe(200)
  })

  test('after 24 hours a key is new', async () => {
    const app = await buildersOn(service).app()
    const key = newKey()
    await withKey(app, key).post('/api/v1/apps/players', { displayName: 'Ada' })
    await database.query(
      `update idempotency_keys set created_at = created_at - interval '24 hours 1 second' where key = $1`,
      [key],
    )
    expect((await withKey(app, key).post('/api/v1/apps/players', { displayName: 'Bob' })).status).toBe(200)
    expect(await players(app)).toBe(2)
  })

  test('a repeat after the service ended during the request is 409, because the outcome is unknown', async () => {
    const app = await buildersOn(service).app()
    const key = newKey()
    await withKey(app, key).post('/api/v1/apps/players', { displayName: 'Ada' })
    await database.query(
      `update idempotency_keys set state = 'running', status = null, created_at = created_at - interval '16 minutes' where key = $1`,
      [key],
    )
    expect(await withKey(app, key).post('/api/v1/apps/players', { displayName: 'Ada' })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('is unknown') },
    })
  })

  test('a repeat after the database ended the connection is 409, because the outcome is unknown', async () => {
    const app = await buildersOn(service).app()
    const key = newKey()
    await database.query(`
      create function end_connection() returns trigger language plpgsql as $$
      begin
        perform pg_terminate_backend(pg_backend_pid());
        perform pg_sleep(1);
        return new;
      end $$;
      create trigger ends before insert on players for each row execute function end_connection()`)
    const create = () => withKey(app, key).post('/api/v1/apps/players', { displayName: 'Ada' })
    expect((await create()).status).toBe(503)
    await database.query('drop trigger ends on players; drop function end_connection()')
    expect(await create()).toMatchObject({ status: 409, body: { error: expect.stringContaining('is unknown') } })
  })

  test('what the database refused and rolled back can be repeated with the same key', async () => {
    const app = await buildersOn(service).app()
    const key = newKey()
    await database.query(`
      create function refuse() returns trigger language plpgsql as $$
      begin
        raise exception 'somebody else' using errcode = 'deadlock_detected';
      end $$;
      create trigger refuses before insert on players for each row execute function refuse()`)
    const create = () => withKey(app, key).post('/api/v1/apps/players', { displayName: 'Ada' })
    expect((await create()).status).toBe(503)
    await database.query('drop trigger refuses on players; drop function refuse()')
    expect((await create()).status).toBe(200)
  })

  test('a repeat after a later statement failed is 409, because an earlier one was committed', async () => {
    const app = await buildersOn(service).app()
    const key = newKey()
    // The created record is read for the response from these tables; the second is unavailable then.
    await database.query(`
      create function take_away() returns trigger language plpgsql as $$
      begin
        alter table session_players rename to taken_away;
        return null;
      end $$;
      create trigger takes_away after insert on game_sessions for each statement execute function take_away()`)
    const create = () => withKey(app, key).post('/api/v1/apps/game-sessions', { name: 'Saturday' })
    const first = await create()
    await database.query(`
      alter table taken_away rename to session_players;
      drop trigger takes_away on game_sessions; drop function take_away()`)
    expect(first.status).toBe(500)
    expect(await create()).toMatchObject({ status: 409, body: { error: expect.stringContaining('is unknown') } })
    expect((await app.get('/api/v1/apps/game-sessions')).body.gameSessions).toHaveLength(1)
  })

  test('a transaction whose commit the database refused can be repeated with the same key', async () => {
    const app = await buildersOn(service).app()
    const session = await app.post('/api/v1/apps/game-sessions', { name: 'Saturday' })
    const caller = withKey(app, newKey())
    const rename = () => caller.patch(`/api/v1/apps/game-sessions/${session.body.id}`, { name: 'Sunday' })
    await database.query(`
      create function refuse() returns trigger language plpgsql as $$
      begin
        raise exception 'somebody else' using errcode = 'serialization_failure';
      end $$;
      create constraint trigger refuses after update on game_sessions
        initially deferred for each row execute function refuse()`)
    expect((await rename()).status).toBe(503)
    await database.query('drop trigger refuses on game_sessions; drop function refuse()')
    expect(await rename()).toMatchObject({ status: 200, body: { name: 'Sunday' } })
  })

  test('responses with secrets are never stored: apps and sign-ins ignore the key', async () => {
    const user = await buildersOn(service).user()
    const caller = withKey(user, newKey())
    const create = () => caller.post('/api/v1/apps', { name: 'Trail', description: 'A game' })
    const [one, other] = [await create(), await create()]
    expect([one.status, other.status]).toEqual([201, 201])
    expect(other.body.id).not.toBe(one.body.id)
    expect((await caller.post('/auth/sync')).status).toBe(200)
    const { rows } = await database.query(`select from idempotency_keys where scope like $1`, [`%${user.id}%`])
    expect(rows).toHaveLength(0)
  })

  test("each of a user's two sessions is signed out, also with equal keys", async () => {
    const [first, key] = [await buildersOn(service).user({ name: 'ada' }), newKey()]
    const { token } = await service.app.identity.openFor(await service.app.localUser('ada'))
    for (const headers of [first.headers, { authorization: `Bearer ${token}` }]) {
      expect((await withKey({ headers }, key).post('/auth/sign-out')).status).toBe(204)
      expect((await service.as(headers).get('/api/v1/user')).status).toBe(401)
    }
  })

  test('nothing is stored for an unknown operation', async () => {
    const key = newKey()
    expect((await service.as({ 'idempotency-key': key }).post('/api/nothing-here', {})).status).toBe(404)
    expect((await database.query('select from idempotency_keys where key = $1', [key])).rows).toEqual([])
  })

  test('an invalid key is 400; reads ignore keys', async () => {
    const app = await buildersOn(service).app()
    for (const key of ['x'.repeat(256), 'zwölf'])
      expect((await withKey(app, key).post('/api/v1/apps/players', { displayName: 'Ada' })).status).toBe(400)
    expect((await withKey(app, 'a key').get('/api/v1/apps/players')).status).toBe(200)
  })
})
