import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { png } from '../../test/content/glb.ts'
import { formOf } from '../../test/multipart.ts'
import { startOutside } from '../../test/network/outbound.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { importsOn, surveyRows } from '../../test/surveying/imports.ts'

let service: Service
let user: Caller & { id: string }
let imports: ReturnType<typeof importsOn>
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
  imports = importsOn(service, user)
})
afterAll(() => service.stop())

const newZone = async (): Promise<number> => (await user.post('/api/zones', { title: 'Park' })).body.id
const newGcp = async (zoneId: number, fields: object = {}) =>
  (await user.post('/api/gcp', { title: 'Mark', gcpType: 'SINGLE', zoneId, ...fields })).body.gcp

describe('removing a zone', () => {
  test('is for the maker and ops; an empty one goes at once', async () => {
    const given = buildersOn(service)
    const id = await newZone()
    expect((await service.anonymous.delete(`/api/zones/${id}`)).status).toBe(401)
    expect((await (await given.user()).delete(`/api/zones/${id}?cascade=true`)).status).toBe(403)
    expect((await user.delete(`/api/zones/${id}`)).status).toBe(204)
    expect((await user.get(`/api/zones/${id}`)).status).toBe(404)
    expect((await user.delete(`/api/zones/${id}`)).status).toBe(404)
    const ops = await given.user({ roles: ['ops'] })
    expect((await ops.delete(`/api/zones/${await newZone()}`)).status).toBe(204)
    expect((await user.delete(`/api/zones/${await newZone()}?cascade=yes`)).status).toBe(400)
  })

  test('that is not empty is 409 and says what is in it, and nothing goes', async () => {
    const zoneId = await newZone()
    const gcp = await newGcp(zoneId)
    await newGcp(zoneId)
    await user.post('/api/location/pins', { title: 'Pin', contentType: 'GLB', latitude: 1, longitude: 2, zoneId })
    const refused = await user.delete(`/api/zones/${zoneId}`)
    expect([refused.status, refused.body.error]).toEqual([
      409,
      `The zone is not empty: it has 2 GCPs, 1 pin. Delete them first, or the zone with all of them: DELETE /api/zones/${zoneId}?cascade=true`,
    ])
    expect((await user.get(`/api/gcp/${gcp.id}`)).status).toBe(200)
    expect((await user.get(`/api/zones/${zoneId}`)).status).toBe(200)
  })

  test('with cascade deletes its GCPs, pins, photos, survey files and their objects, of any user, and nothing else', {
    tags: ['long'],
  }, async () => {
    const before = await service.objectsKept()
    const [zoneId, other] = [await newZone(), await newZone()]
    const kept = await newGcp(other)
    const stranger = await buildersOn(service).user()
    const gcp = await newGcp(zoneId, {
      geoPose: { position: { lat: 5, lon: 6, h: 7 }, angles: { yaw: 0, pitch: 0, roll: 0 } },
    })
    const form = formOf({ field: 'files', name: 'a.png', bytes: png })
    form.set('gcpId', String(gcp.id))
    expect((await user.post('/api/upload/gcp-photos', form)).status).toBe(200)
    const pin = { title: 'Pin', contentType: 'GLB', latitude: 1, longitude: 2, zoneId, visibility: 'private' }
    const { id: pinId } = (await stranger.post('/api/location/pins', pin)).body
    const { record } = await imports.imported(surveyRows(30), { zoneId })
    expect((await service.objectsKept()).length).toBe(before.length + 2)

    expect((await user.delete(`/api/zones/${zoneId}?cascade=true`)).status).toBe(204)
    for (const path of [
      `/api/zones/${zoneId}`,
      `/api/gcp/${gcp.id}`,
      `/api/location/pins/${gcp.pin.id}`,
      `/api/gcp/upload/${record.id}`,
    ])
      expect((await user.get(path)).status).toBe(404)
    expect((await stranger.get(`/api/location/pins/${pinId}`)).status).toBe(404)
    expect((await user.get(`/api/gcp?zoneId=${zoneId}`)).body).toEqual([])
    expect((await user.get('/api/location/pins?lat=5&lon=6&radius=10')).body.pins).toEqual([])
    expect(await service.objectsKept()).toEqual(before)
    expect((await user.get(`/api/gcp/${kept.id}`)).status).toBe(200)
  })

  test('keeps a file that another zone imports too', { tags: ['long'] }, async () => {
    const [one, two] = [await newZone(), await newZone()]
    const key = await imports.stored(surveyRows(3, 20))
    for (const zoneId of [one, two]) await imports.ended((await imports.send(zoneId, key)).body.id)
    expect((await user.delete(`/api/zones/${one}?cascade=true`)).status).toBe(204)
    expect(await service.objectsKept()).toContain(key)
    expect((await user.delete(`/api/zones/${two}?cascade=true`)).status).toBe(204)
    expect(await service.objectsKept()).not.toContain(key)
  })

  test('keeps a file that was sent without a session, or that a pin shows', { tags: ['long'] }, async () => {
    const zoneId = await newZone()
    const key = await imports.stored(surveyRows(3, 21), service.anonymous)
    const shown = await imports.stored(surveyRows(3, 22))
    for (const file of [key, shown]) await imports.ended((await imports.send(zoneId, file)).body.id)
    const pin = { title: 'Pin', contentType: 'OTHER', latitude: 1, longitude: 2 }
    await user.post('/api/location/pins', { ...pin, contentUrl: imports.objects.addressOf(shown) })
    expect((await user.delete(`/api/zones/${zoneId}?cascade=true`)).status).toBe(204)
    expect(await service.objectsKept()).toEqual(expect.arrayContaining([key, shown]))
  })

  test('takes files along that were fetched for its imports', { tags: ['long'] }, async () => {
    const outside = await startOutside((_, response) => response.end(surveyRows(3)), {
      'files.example.org': [['93.184.216.34']],
    })
    const open = await startService({ CAIRN_IMPORT_HOSTS: 'files.example.org' }, outside.network)
    try {
      const owner = await buildersOn(open).user()
      const { id: zoneId } = (await owner.post('/api/zones', { title: 'Park' })).body
      // The second is named as files of this service are.
      for (const path of ['a.csv', 'files/zz/AAAAAAAAAAAAAAAAAAAAAA.csv']) {
        const upload = { fileName: 'a.csv', fileUrl: `https://files.example.org/${path}`, zoneId }
        const { id } = (await owner.post('/api/gcp/upload', upload)).body
        expect((await importsOn(open, owner).ended(id)).status).toBe('COMPLETED')
      }
      expect(await open.objectsKept()).toHaveLength(2)
      expect((await owner.delete(`/api/zones/${zoneId}?cascade=true`)).status).toBe(204)
      expect(await open.objectsKept()).toEqual([])
    } finally {
      await open.stop()
      await outside.stop()
    }
  })

  test('beside imports and writers of GCPs and pins leaves nothing in it, and no answer is a fault', {
    tags: ['long'],
  }, async () => {
    for (let round = 0; round < 3; round++) {
      const zoneId = await newZone()
      const gcps = await Promise.all(Array.from({ length: 8 }, () => newGcp(zoneId)))
      const running = (await imports.send(zoneId, await imports.stored(surveyRows(3_000, 30 + round)))).body
      const [removed, ...others] = await Promise.all([
        user.delete(`/api/zones/${zoneId}?cascade=true`),
        ...gcps.map(({ id }) => user.put(`/api/gcp/${id}`, { title: 'Moved' })),
        ...Array.from({ length: 8 }, () => user.post('/api/gcp', { title: 'New', gcpType: 'MULTI', zoneId })),
        user.post('/api/location/pins', { title: 'Pin', contentType: 'GLB', latitude: 1, longitude: 2, zoneId }),
      ])
      expect(removed?.status).toBe(204)
      // 503: waited a second for a lock, on a busy machine.
      for (const { status } of others) expect([200, 201, 400, 404, 409, 503]).toContain(status)
      expect(others.every(({ status }) => status === 503)).toBe(false)
      expect((await user.get(`/api/gcp?zoneId=${zoneId}`)).body).toEqual([])
      expect((await user.get(`/api/gcp/upload/${running.id}`)).status).toBe(404)
    }
  })
})
