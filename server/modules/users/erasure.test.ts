// @module-tag long
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limitedSession } from '../../test/access/limited-session.ts'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { boxGlb } from '../../test/content/glb.ts'
import { formOf } from '../../test/multipart.ts'
import { makeRichUser, pin, upload } from '../../test/rich-user.ts'
import { startSecondService } from '../../test/second-service.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'
import { EXPORT_PARTS } from './export-parts.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

const me = '/api/v1/user'
const richUser = () => makeRichUser(given)

describe('the erasure of a user', () => {
  test('players keep their scores, unlinked; public pins, zones and GCPs stay without an owner', async () => {
    const all = await richUser()
    expect(await all.user.delete(me)).toMatchObject({ status: 204, body: '' })
    expect((await all.game.get(`/api/v1/apps/players/${all.player.id}`)).body).toMatchObject({ userId: null })
    expect((await all.game.get('/api/v1/apps/leaderboards/mini-game')).body.leaderboard).toEqual([
      expect.objectContaining({ playerId: all.player.id, playerScore: 41.5, userId: null }),
    ])
    const { anonymous } = service
    expect(await anonymous.get(`/api/zones/${all.zone.id}`)).toMatchObject({ status: 200, body: { title: 'My park' } })
    expect(await anonymous.get(`/api/gcp/${all.gcp.id}`)).toMatchObject({ status: 200, body: { title: 'My point' } })
    expect(await anonymous.get(`/api/location/pins/${all.open.id}`)).toMatchObject({
      status: 200,
      body: { userId: null },
    })
  })

  test('what games keep for the players of the user goes; a configuration that the user wrote stays without its author', async () => {
    const all = await richUser()
    const path = `/api/v1/apps/players/${all.player.id}/storage/save`
    expect((await all.game.get(path)).body).toEqual({ level: 7 })
    await sql(`insert into app_configs (app_id, version, value, bytes, user_id) values ($1, 1, '{"a":1}', 7, $2)`, [
      all.game.id,
      all.user.id,
    ])
    await all.user.delete(me)
    expect((await all.game.get(path)).status).toBe(404)
    expect((await all.game.get('/api/v1/apps/config')).body).toEqual({ a: 1 })
    expect((await all.game.get('/api/v1/apps/config/versions')).body.versions).toMatchObject([{ userId: null }])
  })

  test('metadata of the scores of the players goes, also that of replaced scores and of periods; the scores stay', async () => {
    const all = await richUser()
    const [{ gameSessionId }] = (await all.game.get(`/api/v1/apps/players/${all.player.id}/scores`)).body.scores
    const write = (n: number) =>
      all.game.patch(`/api/v1/apps/game-sessions/${gameSessionId}/players/${all.player.id}`, {
        score: n,
        metadata: { n },
      })
    await write(1)
    await all.game.get('/api/v1/apps/leaderboards/mini-game?window=day')
    await write(2)
    const kept = `select count(*) as kept from (
      select app_id, score, metadata from session_players union all select app_id, score, metadata from score_history
      union all select app_id, score, metadata from period_best) s where app_id = $1 and score < 3`
    expect(await sql(`${kept} and metadata is not null`, [all.game.id])).toEqual([{ kept: 3 }])
    await all.user.delete(me)
    expect(await sql(`${kept} and metadata is not null`, [all.game.id])).toEqual([{ kept: 0 }])
    expect(await sql(kept, [all.game.id])).toEqual([{ kept: 3 }])
  })

  test('private and unlisted pins go, and uploaded files that nothing shows, with their bytes', async () => {
    const all = await richUser()
    const ops = await given.user({ roles: ['ops'] })
    await all.user.delete(me)
    for (const { id } of [all.unlisted, all.secret])
      expect(await ops.get(`/api/location/pins/${id}`)).toMatchObject({ status: 404 })
    expect(await service.anonymous.get(all.hidden.url)).toMatchObject({ status: 404 })
    expect(await service.anonymous.get(all.shown.url)).toMatchObject({ status: 200, body: 'shown bytes' })
    expect(await service.anonymous.get(all.survey.url)).toMatchObject({ status: 200 })
    expect(await sql('select id from files where id = $1', [all.hidden.fileId])).toEqual([])
    // The note of an object goes after the object.
    await expect.poll(() => sql('select key from unused_objects')).toEqual([])
  })

  test.skipIf(process.env.CAIRN_TEST_STORAGE)(
    'a user with more files than PostgreSQL holds locks is erased too',
    async () => {
      const user = await given.user()
      await sql(
        `insert into files (id, key, file_name, mime_type, size, sha256, user_id)
       select n, 'aa/' || lpad(n::text, 22, '0') || '.glb', 'a.glb', 'model/gltf-binary', 1,
              encode(sha256(n::text::bytea), 'hex'), $1 from generate_series(1, 15000) n`,
        [user.id],
      )
      expect(await user.delete(me)).toMatchObject({ status: 204 })
      expect(await sql('select from files where user_id = $1', [user.id])).toEqual([])
    },
  )

  /** Everything by which the caller can show a file, by its name. */
  async function waysToShow(caller: Caller): Promise<Record<string, (url: string) => Promise<unknown>>> {
    const app = await given.app({ owner: caller })
    return {
      "a pin's content": (url) => pin(caller, { contentUrl: url }),
      'a private pin': (url) => pin(caller, { contentUrl: url, visibility: 'private' }),
      "a pin's photo": (url) => pin(caller, { relocalizationPhotoUrl: url }),
      "a pin's world map": (url) => pin(caller, { localizationData: { trackingMode: 'WORLD', worldmapURL: url } }),
      "a point's photo": (url) =>
        caller.post('/api/gcp', { title: 'P', gcpType: 'SINGLE', photoUrls: ['https://x.example/a.png', url] }),
      'an app': (url) => caller.patch(`/api/v1/apps/${app.id}`, { imageUrl: url }),
      'a mini game type': (url) => app.post('/api/v1/apps/mini-game-types', { name: 'T', imageUrl: url }),
      'another address of this service': (url) =>
        pin(caller, { contentUrl: url.replace(service.url, 'https://old.example') }),
    }
  }
  /** Files of the user, each shown in one of these ways. */
  async function shownFiles(user: Caller, ways: Awaited<ReturnType<typeof waysToShow>>) {
    const urls: Record<string, string> = {}
    for (const [name, show] of Object.entries(ways)) {
      urls[name] = (await upload(user, name)).url
      expect(await show(urls[name]), name).toMatchObject({
        status: expect.toSatisfy((status) => [200, 201].includes(status)),
      })
    }
    return Object.entries(urls)
  }

  test('keeps a file that a record of an admin or ops shows, also under an earlier address', async () => {
    const user = await given.user()
    const urls = await shownFiles(user, await waysToShow(await given.user({ roles: ['ops'] })))
    const unseen = await upload(user, 'not shown')
    expect(await user.delete(me)).toMatchObject({ status: 204 })
    for (const [name, url] of urls)
      expect(await service.anonymous.get(url), name).toMatchObject({ status: 200, body: name })
    expect(await service.anonymous.get(unseen.url)).toMatchObject({ status: 404 })
  })

  test('deletes a file that only records of other users show; their links return 404', async () => {
    const [user, stranger, gone] = [await given.user(), await given.user(), await given.user()]
    const urls = await shownFiles(user, await waysToShow(stranger))
    // Another erased user leaves an open pin without an owner.
    const { url } = await upload(user, 'shown by a pin without an owner')
    await pin(gone, { contentUrl: url })
    await gone.delete(me)
    const model = formOf({ name: 'a.glb', bytes: boxGlb({ name: 'shown by another user' }) })
    const { originalFile } = (await user.post('/api/upload/convert', model)).body
    const converted = async () => (await user.get(`/api/upload/convert?fileId=${originalFile.id}`)).body.convertedFile
    await expect.poll(converted).toBeDefined()
    const { fileUrl } = await converted()
    const { id } = (await pin(stranger, { contentUrl: fileUrl })).body
    expect(await user.delete(me)).toMatchObject({ status: 204 })
    for (const [name, address] of [...urls, ['without an owner', url], ['a USDZ', fileUrl]])
      expect(await service.anonymous.get(address!), name).toMatchObject({ status: 404 })
    expect((await stranger.get(`/api/location/pins/${id}`)).body).toMatchObject({ contentUrl: fileUrl })
  })

  test('deletes the conversion of a file with it, unless another user has the same file', async () => {
    const [one, two] = [await given.user(), await given.user()]
    const convert = async (user: Caller, bytes: Uint8Array) => {
      const { originalFile } = (await user.post('/api/upload/convert', formOf({ name: 'a.glb', bytes }))).body
      const now = async () => (await user.get(`/api/upload/convert?fileId=${originalFile.id}`)).body
      await expect.poll(async () => (await now()).convertedFile).toBeDefined()
      return now()
    }
    const [own, shared] = [boxGlb({ name: 'own' }), boxGlb({ name: 'shared' })]
    const mine = await convert(one, own)
    const ours = await convert(one, shared)
    await convert(two, shared)
    expect(await service.anonymous.get(mine.convertedFile.fileUrl)).toMatchObject({ status: 200 })
    await one.delete(me)
    expect(await service.anonymous.get(mine.originalFile.fileUrl)).toMatchObject({ status: 404 })
    expect(await service.anonymous.get(mine.convertedFile.fileUrl)).toMatchObject({ status: 404 })
    expect(await service.anonymous.get(ours.convertedFile.fileUrl)).toMatchObject({ status: 200 })
  })

  test('every session ends within a second in every process, also one from a code; the token renews nothing', async () => {
    const user = await given.user()
    const limited = await limitedSession(service, user)
    const other = await startSecondService(service)
    expect(await limited.get(me)).toMatchObject({ status: 200 })
    expect(await other.as(user.headers).get('/api/v1/apps')).toMatchObject({ status: 200 })
    await user.delete(me)
    const elsewhere = async () => (await other.as(user.headers).get('/api/v1/apps')).status
    await expect.poll(elsewhere).toBe(401)
    await other.stop()
    for (const session of [user, limited]) {
      await expect.poll(async () => (await session.get('/api/v1/apps')).status).toBe(401)
      expect(await session.post('/auth/sync')).toMatchObject({ status: 401 })
      expect(await session.delete(me)).toMatchObject({ status: 401 })
    }
    expect(await sql('select id from users where id = $1', [user.id])).toEqual([])
  })

  test('while an import of the user runs, it is done all the same, and the import ends', async () => {
    for (let round = 0; round < 8; round++) {
      const user = await given.user()
      const zone = (await user.post('/api/zones', { title: 'My park' })).body
      const rows = Array.from({ length: 3000 }, (_, i) => `P${i},${1 + i / 100},${i / 100}`)
      const { url } = await upload(user, `title,lat,lon\n${rows.join('\n')}\n`, 'survey.csv')
      const { body } = await user.post('/api/gcp/upload', { fileName: 's.csv', fileUrl: url, zoneId: zone.id })
      await sleep(round * 20)
      expect(await user.delete(me)).toMatchObject({ status: 204 })
      const status = async () => (await service.anonymous.get(`/api/gcp/upload/${body.id}`)).body.status
      await expect.poll(status).toBe('COMPLETED')
      expect((await service.anonymous.get(`/api/gcp?zoneId=${zone.id}`)).body).toHaveLength(3000)
    }
  })

  test('a session from a six-digit code cannot do it: 403', async () => {
    const user = await given.user()
    expect(await (await limitedSession(service, user)).delete(me)).toMatchObject({ status: 403 })
    expect(await user.get(me)).toMatchObject({ status: 200 })
  })

  test('a user who owns apps gets 409 that names them, and nothing is changed; without them it works', async () => {
    const { user, secret } = await richUser()
    const [one, two] = [await given.app({ owner: user, name: 'One' }), await given.app({ owner: user, name: 'Two' })]
    expect(await user.delete(me)).toMatchObject({
      status: 409,
      body: { error: 'You own the apps "One", "Two": delete your apps first' },
    })
    expect(await user.get(`/api/location/pins/${secret.id}`)).toMatchObject({ status: 200 })
    await user.delete(`/api/v1/apps/${one.id}?name=One`)
    await user.delete(`/api/v1/apps/${two.id}?name=Two`)
    expect(await user.delete(me)).toMatchObject({ status: 204 })
  })

  test('the audit log keeps ids alone', async () => {
    const user = await given.user()
    const app = await given.app({ owner: user })
    await user.delete(`/api/v1/apps/${app.id}?name=Trail`)
    await user.delete(me)
    const entries = await sql<{ action: string; address: string | null }>(
      'select action, address from audit_log where actor = $1',
      [user.id],
    )
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['app.created', 'app.deleted', 'user.erased']),
    )
    expect(entries.filter(({ address }) => address !== null)).toEqual([])
  })

  test('of 8 concurrent requests one erases the user and the others are 401', async () => {
    const user = await given.user()
    const answers = await Promise.all(Array.from({ length: 8 }, () => user.delete(me)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(401)])
  })
})

test('every column that refers to users is in the export, and erasure deletes its row or clears it', async () => {
  const referring = await sql<{ table: string; column: string; rule: string }>(
    `select c.conrelid::regclass::text as table, a.attname as column, c.confdeltype::text as rule
       from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
      where c.contype = 'f' and c.confrelid = 'users'::regclass`,
  )
  expect(referring.length).toBeGreaterThan(8)
  // Apps prevent an erasure: the error lists them.
  const held = ['apps.owner_id']
  for (const { table, column, rule } of referring) {
    const name = `${table}.${column}`
    const isExported = EXPORT_PARTS.some((part) => part.table === table && part.columns.includes(column))
    expect(isExported, `${name} is not in the export`).toBe(true)
    expect(['c', 'n'].includes(rule) || held.includes(name), `${name} stops an erasure`).toBe(true)
  }
  // A column with a user's id but without a foreign key: erasure would not clear it.
  const silent = await sql<{ name: string }>(
    `select c.table_name || '.' || c.column_name as name from information_schema.columns c
      where c.table_schema = 'public' and c.column_name ~ '(^|_)(user|owner)(_id)?$'
        and not exists (
          select from information_schema.key_column_usage k
            join information_schema.referential_constraints using (constraint_schema, constraint_name)
           where k.table_name = c.table_name and k.column_name = c.column_name)`,
  )
  expect(silent).toEqual([])
})
