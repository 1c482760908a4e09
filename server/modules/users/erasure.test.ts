// @module-tag long
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { limitedSession } from '../../test/access/limited-session.ts'
import { buildersOn } from '../../test/builders.ts'
import { boxGlb } from '../../test/content/glb.ts'
import { unzip } from '../../test/content/zip.ts'
import { formOf } from '../../test/multipart.ts'
import { makeSession, setScore } from '../../test/scoring/scoring-steps.ts'
import { startSecondService } from '../../test/second-service.ts'
import { type Caller, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'
import { EXPORT_PARTS } from './export-parts.ts'

const service = await startService()
const given = buildersOn(service)
const sql = sqlOn(service)
afterAll(() => service.stop())

const me = '/api/v1/user'

async function upload(user: Caller, text: string, name = 'note.bin') {
  const { body } = await user.post('/api/upload', formOf({ name, bytes: text }))
  return body.results[0] as { fileId: number; url: string }
}
const pin = (user: Caller, fields: object) =>
  user.post('/api/location/pins', { title: 'Here', latitude: 1, longitude: 2, contentType: 'URL', ...fields })

async function exported(user: Caller) {
  const response = await fetch(`${service.url}${me}/export`, { headers: user.headers })
  const files = unzip(Buffer.from(await response.arrayBuffer()))
  const json = (name: string) => JSON.parse(files.get(name)!.toString('utf8'))
  return { response, files, json }
}

/** A user with something of everything, and what it is called. */
async function richUser() {
  const user = await given.user()
  const game = await given.app()
  const player = (await game.post('/api/v1/apps/players', { displayName: 'Linked', userId: user.id })).body
  const session = await makeSession(game, { name: 'Sunday' })
  await game.post(`/api/v1/apps/game-sessions/${session.id}/players`, { playerId: player.id })
  await setScore(game, session.id, player.id, 41.5)
  const zone = (await user.post('/api/zones', { title: 'My park' })).body
  const gcp = (await user.post('/api/gcp', { title: 'My point', gcpType: 'SINGLE', zoneId: zone.id })).body.gcp
  const [shown, hidden] = [
    await upload(user, 'shown bytes', 'shown.bin'),
    await upload(user, 'hidden bytes', 'a "ü".bin'),
  ]
  const open = (await pin(user, { title: 'Open', contentUrl: shown.url })).body
  const unlisted = (await pin(user, { title: 'Unlisted', visibility: 'unlisted', contentUrl: hidden.url })).body
  const secret = (await pin(user, { title: 'Secret', visibility: 'private' })).body
  const survey = await upload(user, 'title,lat,lon\nA,1,2\n', 'survey.csv')
  const csv = (await user.post('/api/gcp/upload', { fileName: 'survey.csv', fileUrl: survey.url, zoneId: zone.id }))
    .body
  const code = (await user.post('/auth/codes', {})).body
  return { user, game, player, session, zone, gcp, shown, hidden, open, unlisted, secret, survey, csv, code }
}

describe('the export of a user', () => {
  test('is made one at a time: another meanwhile is 429, and one that was given up is out of the way', async () => {
    const user = await given.user()
    await upload(user, 'x'.repeat(24 * 2 ** 20), 'large.bin')
    const unread = await fetch(`${service.url}${me}/export`, { headers: user.headers })
    const second = await user.get(`${me}/export`)
    expect(second).toMatchObject({ status: 429, body: { error: expect.stringContaining('previous export') } })
    expect(second.headers.get('retry-after')).toBe('10')
    await unread.body!.cancel()
    await expect.poll(async () => (await exported(user)).response.status).toBe(200)
  })

  test('is a ZIP of everything held on the user, with the bytes of its files and without secrets', async () => {
    const all = await richUser()
    const { user } = all
    const app = await given.app({ owner: user, name: 'My game' })
    await richUser() // somebody else's, of which nothing may be there
    const { response, files, json } = await exported(user)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="cairn-${user.id}.zip"`)

    expect(json('profile.json')).toEqual([expect.objectContaining({ id: user.id, issuer: 'local' })])
    expect(json('sign-ins.json')).toHaveLength(1)
    expect(json('apps.json')).toEqual([expect.objectContaining({ id: app.id, name: 'My game' })])
    expect(json('players.json')).toEqual([
      expect.objectContaining({ id: all.player.id, displayName: 'Linked', createdAt: all.player.createdAt }),
    ])
    expect(json('scores.json')).toEqual([expect.objectContaining({ score: 41.5, sessionName: 'Sunday' })])
    expect(json('codes.json')).toHaveLength(1)
    expect(json('zones.json')).toEqual([expect.objectContaining({ id: all.zone.id, title: 'My park' })])
    const points = json('gcps.json').map(({ title }: { title: string }) => title)
    expect(points).toContain('My point')
    const pins = json('pins.json').map(({ title }: { title: string }) => title)
    expect(pins).toEqual(expect.arrayContaining(['Open', 'Unlisted', 'Secret', 'My point']))
    expect(json('csv-uploads.json')).toEqual([expect.objectContaining({ id: all.csv.id, fileName: 'survey.csv' })])
    expect(json('files.json')).toHaveLength(3)
    expect(files.get(`files/${all.hidden.fileId}/a "ü".bin`)?.toString()).toBe('hidden bytes')
    expect(files.get(`files/${all.shown.fileId}/shown.bin`)?.toString()).toBe('shown bytes')
    const actions = json('audit-log.json').map(({ action }: { action: string }) => action)
    expect(actions).toEqual(expect.arrayContaining(['app.created', 'user.exported']))
    expect(files.get('README.txt')?.toString()).toContain('scores.json')
    for (const { file } of EXPORT_PARTS) expect([...files.keys()]).toContain(file)

    const everything = [...files.values()].join('\n')
    for (const secret of [app.key, app.key.slice(0, 14), 'encrypted', 'passwordHash', 'digest'])
      expect(everything).not.toContain(secret)
    // By itself: its six digits may be in a hash.
    expect(everything).not.toMatch(new RegExp(`(?<![0-9a-f])${all.code.code}(?![0-9a-f])`, 'i'))
    expect(everything.match(/"title":"Secret"/g)).toHaveLength(1)
  })

  test('tells what others did with the user, and not from where', async () => {
    const [user, admin] = [await given.user(), await given.user({ roles: ['admin'] })]
    expect((await admin.put(`/api/v1/users/${user.id}/roles`, { roles: ['ops'] })).status).toBe(200)
    const entries: { action: string; actor: string; address: string | null }[] = (await exported(user)).json(
      'audit-log.json',
    )
    expect(entries.map(({ action, actor, address }) => [action, actor, address])).toEqual([
      ['user.roles_changed', admin.id, null],
      ['user.exported', user.id, '127.0.0.1'],
    ])
  })

  test('of a user who has nothing is a whole ZIP too', async () => {
    const { json } = await exported(await given.user())
    expect(json('pins.json')).toEqual([])
    expect(json('profile.json')).toHaveLength(1)
  })

  test('goes through pages: of more rows than one holds, each is there once', async () => {
    const user = await given.user()
    await sql(`insert into zones (title, user_id) select 'Zone ' || n, $1 from generate_series(1, 1700) n`, [user.id])
    const ids = (await exported(user)).json('zones.json').map(({ id }: { id: number }) => id)
    expect(ids).toHaveLength(1700)
    expect(new Set(ids).size).toBe(1700)
  })
})

test.runIf(process.platform === 'linux')(
  'who breaks off an export leaves nothing open, and can have it again',
  async () => {
    const user = await given.user()
    await upload(user, 'x'.repeat(30 * 2 ** 20), 'large.bin')
    for (let i = 0; i < 20; i++) {
      const stop = new AbortController()
      const response = await fetch(`${service.url}${me}/export`, { headers: user.headers, signal: stop.signal })
      await response.body!.getReader().read()
      stop.abort()
    }
    const objects = () =>
      readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).startsWith(join(service.folder, 'objects'))).length
    await expect.poll(objects).toBe(0)
    const again = async () => {
      const response = await fetch(`${service.url}${me}/export`, { headers: user.headers })
      return (await response.arrayBuffer()).byteLength
    }
    await expect.poll(again).toBeGreaterThan(30 * 2 ** 20)
    const { files } = await exported(user)
    expect([...files.values()].some(({ length }) => length === 30 * 2 ** 20)).toBe(true)
  },
)

/** Where a descriptor of this process leads; '' when it is closed already. */
function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return ''
  }
}

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

  test('a file that a record of those who run the box shows stays, whatever the address was then', async () => {
    const user = await given.user()
    const urls = await shownFiles(user, await waysToShow(await given.user({ roles: ['ops'] })))
    const unseen = await upload(user, 'seen by nobody')
    expect(await user.delete(me)).toMatchObject({ status: 204 })
    for (const [name, url] of urls)
      expect(await service.anonymous.get(url), name).toMatchObject({ status: 200, body: name })
    expect(await service.anonymous.get(unseen.url)).toMatchObject({ status: 404 })
  })

  test('a file that records of strangers alone show goes, and their links lead nowhere', async () => {
    const [user, stranger, gone] = [await given.user(), await given.user(), await given.user()]
    const urls = await shownFiles(user, await waysToShow(stranger))
    // A stranger who is erased leaves an open pin without an owner.
    const { url } = await upload(user, 'shown by nobody’s')
    await pin(gone, { contentUrl: url })
    await gone.delete(me)
    const model = formOf({ name: 'a.glb', bytes: boxGlb({ name: 'shown by a stranger' }) })
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

  test('what was converted from a file goes with it, unless somebody else has the same', async () => {
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
      const rows = Array.from({ length: 3000 }, (_, i) => `P${i},${i / 100},${i / 100}`)
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

  test('of 8 at once one does it and the others find nobody', async () => {
    const user = await given.user()
    const answers = await Promise.all(Array.from({ length: 8 }, () => user.delete(me)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(401)])
  })
})

test('every column that refers to users is in the export, and goes or lets go of the user on erasure', async () => {
  const referring = await sql<{ table: string; column: string; rule: string }>(
    `select c.conrelid::regclass::text as table, a.attname as column, c.confdeltype::text as rule
       from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
      where c.contype = 'f' and c.confrelid = 'users'::regclass`,
  )
  expect(referring.length).toBeGreaterThan(8)
  // Apps hold an erasure off: the user is told which.
  const held = ['apps.owner_id']
  for (const { table, column, rule } of referring) {
    const name = `${table}.${column}`
    const isExported = EXPORT_PARTS.some((part) => part.table === table && part.columns.includes(column))
    expect(isExported, `${name} is not in the export`).toBe(true)
    expect(['c', 'n'].includes(rule) || held.includes(name), `${name} stops an erasure`).toBe(true)
  }
  // A column that holds a user's id without saying so to the database: nothing would let go of it.
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
