import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limitedSession } from '../../../test/access/limited-session.ts'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { png } from '../../../test/content/glb.ts'
import { formOf, withTexts } from '../../../test/multipart.ts'
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
afterAll(() => service.stop())

const pinBody = { title: 'Pin', latitude: 1, longitude: 2, contentType: 'GLB' }
const unknownId = '0193a7c0-0000-7000-8000-000000000000'

/** A zone with an editor. */
async function edited() {
  const [owner, editor, stranger] = [await given.user(), await given.user(), await given.user()]
  const zoneId = (await owner.post('/api/zones', { title: 'Park' })).body.id as number
  const editors = `/api/zones/${zoneId}/editors`
  expect(await owner.post(editors, { userId: editor.id })).toMatchObject({ status: 201, body: { userId: editor.id } })
  return { owner, editor, stranger, zoneId, editors }
}
/** A pin and a ground control point of someone in the zone, and their paths. */
async function contentsOf(someone: Caller, zoneId: number) {
  const pin = await someone.post('/api/location/pins', { ...pinBody, zoneId, visibility: 'private' })
  const { gcp } = (await someone.post('/api/gcp', { title: 'Point', gcpType: 'SINGLE', zoneId })).body
  return { pin: `/api/location/pins/${pin.body.id}`, gcp: `/api/gcp/${gcp.id}`, gcpId: gcp.id as number }
}

describe('an editor of a zone', () => {
  test('changes and deletes pins and points of others in it, also private ones', async () => {
    const { owner, editor, stranger, zoneId } = await edited()
    const { pin, gcp } = await contentsOf(owner, zoneId)
    expect((await stranger.put(pin, { title: 'Mine' })).status).toBe(404)
    expect((await stranger.put(gcp, { title: 'Mine' })).status).toBe(403)
    expect((await editor.get(pin)).status).toBe(200)
    expect((await editor.put(pin, { title: 'Edited' })).body.title).toBe('Edited')
    expect((await editor.put(gcp, { title: 'Edited' })).status).toBe(200)
    expect((await editor.delete(pin)).status).toBe(204)
    expect((await editor.delete(gcp)).status).toBeLessThan(300)
  })

  test('adds photos to points of others in it, and imports into it', async () => {
    const { owner, editor, stranger, zoneId } = await edited()
    const { gcpId } = await contentsOf(owner, zoneId)
    const photo = () => withTexts(formOf({ field: 'files', name: 'a.png', bytes: png }), { gcpId })
    const add = async (caller: Caller) => (await caller.post('/api/upload/gcp-photos', photo())).status
    expect(await add(stranger)).toBe(403)
    expect(await add(editor)).toBeLessThan(300)
    const points = async (caller: Caller) => {
      const file = formOf({ name: 'points.csv', bytes: 'name,lat,lon\nP,1,2\n' })
      const { url } = (await caller.post('/api/upload', file)).body.results[0]
      return (await caller.post('/api/gcp/upload', { fileName: 'points.csv', fileUrl: url, zoneId })).status
    }
    expect(await points(stranger)).toBe(403)
    expect(await points(editor)).toBeLessThan(300)
  })

  test('cannot change, delete or empty the zone, or choose editors', async () => {
    const { editor, zoneId, editors, stranger } = await edited()
    expect((await editor.put(`/api/zones/${zoneId}`, { title: 'Mine' })).status).toBe(403)
    expect((await editor.delete(`/api/zones/${zoneId}`)).status).toBe(403)
    expect((await editor.delete(`/api/zones/${zoneId}?cascade=true`)).status).toBe(403)
    expect((await editor.post(editors, { userId: stranger.id })).status).toBe(403)
  })

  test('may do nothing in other zones of the owner', async () => {
    const { owner, editor } = await edited()
    const other = (await owner.post('/api/zones', { title: 'Other' })).body.id
    const { pin, gcp } = await contentsOf(owner, other)
    expect((await editor.put(pin, { title: 'Mine' })).status).toBe(404)
    expect((await editor.put(gcp, { title: 'Mine' })).status).toBe(403)
  })

  test('may do nothing any more once removed, and what it made stays', async () => {
    const { owner, editor, zoneId, editors } = await edited()
    const { gcp } = await contentsOf(owner, zoneId)
    const own = await contentsOf(editor, zoneId)
    expect((await owner.delete(`${editors}/${editor.id}`)).status).toBe(204)
    expect((await editor.put(gcp, { title: 'Mine' })).status).toBe(403)
    expect((await editor.put(own.gcp, { title: 'Still mine' })).status).toBe(200)
    expect((await owner.delete(`${editors}/${editor.id}`)).status).toBe(404)
  })
})

describe('the editors of a zone', () => {
  test('are listed for the owner and editors in their order, and for nobody else', async () => {
    const { owner, editor, stranger, editors } = await edited()
    const second = await given.user()
    await owner.post(editors, { userId: second.id })
    for (const caller of [owner, editor])
      expect((await caller.get(editors)).body.editors.map(({ userId }: { userId: string }) => userId)).toEqual([
        editor.id,
        second.id,
      ])
    expect((await stranger.get(editors)).status).toBe(403)
    expect((await service.anonymous.get(editors)).status).toBe(401)
  })

  test('are added by the owner and ops alone, in a full session', async () => {
    const { owner, stranger, editors } = await edited()
    const ops = await given.user({ roles: ['ops'] })
    expect((await stranger.post(editors, { userId: stranger.id })).status).toBe(403)
    expect((await ops.post(editors, { userId: stranger.id })).status).toBe(201)
    const limited = await limitedSession(service, owner)
    expect((await limited.post(editors, { userId: (await given.user()).id })).status).toBe(403)
  })

  test('an editor leaves, and removes no other', async () => {
    const { owner, editor, editors } = await edited()
    const second = await given.user()
    await owner.post(editors, { userId: second.id })
    expect((await editor.delete(`${editors}/${second.id}`)).status).toBe(403)
    expect((await editor.delete(`${editors}/${editor.id}`)).status).toBe(204)
    expect((await owner.get(editors)).body.editors).toHaveLength(1)
  })

  test('an unknown zone or user is 404, an editor and the owner are 409', async () => {
    const { owner, editor, editors } = await edited()
    expect((await owner.get('/api/zones/999999999/editors')).status).toBe(404)
    expect((await owner.post(editors, { userId: unknownId })).status).toBe(404)
    expect((await owner.post(editors, { userId: editor.id })).status).toBe(409)
    expect((await owner.post(editors, { userId: owner.id })).status).toBe(409)
  })

  test('editor 101 is 409', async () => {
    const { owner, zoneId, editors } = await edited()
    await sql(
      `with made as (insert into users (id, issuer, subject)
         select gen_random_uuid(), 'test', 'editor ' || i from generate_series(1, 99) i returning id)
       insert into zone_editors (zone_id, user_id) select $1, id from made`,
      [zoneId],
    )
    expect(await owner.post(editors, { userId: (await given.user()).id })).toMatchObject({
      status: 409,
      body: { error: /at most 100 editors/ },
    })
  })

  test('go with the zone and with their user, and are in the audit log', async () => {
    const { owner, editor, zoneId, editors } = await edited()
    const second = await given.user()
    await owner.post(editors, { userId: second.id })
    expect((await second.delete('/api/v1/user')).status).toBeLessThan(300)
    expect((await owner.get(editors)).body.editors).toHaveLength(1)
    await owner.delete(`${editors}/${editor.id}`)
    const rows = await sql('select action, actor from audit_log where subject = $1 order by id', [
      `${zoneId}/${editor.id}`,
    ])
    expect(rows).toEqual(['added', 'removed'].map((done) => ({ action: `zone_editor.${done}`, actor: owner.id })))
    await owner.post(editors, { userId: editor.id })
    expect((await owner.delete(`/api/zones/${zoneId}`)).status).toBe(204)
    expect(await sql('select from zone_editors where zone_id = $1', [zoneId])).toEqual([])
  })
})
