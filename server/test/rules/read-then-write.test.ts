import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../builders.ts'
import { jpeg } from '../content/pictures.ts'
import { uploadOf } from '../content/scans.ts'
import { appUrl } from '../scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../service.ts'
import { type Sql, sqlOn } from '../sql.ts'

let service: Service
let sql: Sql
let maker: Caller & { id: string }
let app: Caller & { id: string }
/** A URL of this service whose file is deleted. */
let url: string
beforeAll(async () => {
  service = await startService()
  sql = sqlOn(service)
  const given = buildersOn(service)
  maker = await given.user()
  app = await given.app({ owner: maker })
  const sender = await given.user()
  const file = await uploadOf(sender, { name: 'a.jpg', type: 'image/jpeg', bytes: await jpeg(60, 40) })
  url = file.url
  await Promise.all(Object.values(kinds).map(async (kind) => Object.assign(kind, await kind.make())))
  expect((await sender.delete(`/api/v1/user/files/${file.fileId}`)).status).toBe(204)
})
afterAll(() => service.stop())

const where = { latitude: 10, longitude: 20 }
const geoPose = { position: { lat: 52.5, lon: 13.4 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
const ok = async (answer: Promise<{ status: number; body: Made }>): Promise<Made> => {
  const { status, body } = await answer
  expect({ status, body: status < 300 || body }).toEqual({ status, body: true })
  return body
}
type Made = Record<string, unknown>
type Kind = {
  table: string
  id?: unknown
  make: () => Promise<{ id: unknown }>
  read: (id: unknown) => Promise<Made>
  send: (id: unknown, record: Made) => Promise<{ status: number; body: Made }>
}

/** How each kind of record with files is created, read and written back. */
const kinds: Record<string, Kind> = {
  'a pin': {
    table: 'pins',
    make: async () => {
      const localizationData = { trackingMode: 'WORLD', worldmapURL: url }
      const pin = { title: 'Pin', contentType: 'IMAGE', ...where, contentUrl: url, relocalizationPhotoUrl: url }
      const { id } = await ok(maker.post('/api/location/pins', { ...pin, localizationData }))
      return { id }
    },
    read: (id) => ok(maker.get(`/api/location/pins/${id}`)),
    send: (id, record) => maker.put(`/api/location/pins/${id}`, record),
  },
  'a ground control point, with a height converted to the ellipsoid': {
    table: 'gcps',
    make: async () => {
      const photoUrls = ['https://elsewhere.example/a.jpg', url]
      const point = { title: 'Mark', gcpType: 'SINGLE', altitude: 34.25, heightDatum: 'EGM96', geoPose, photoUrls }
      const { gcp } = await ok(maker.post('/api/gcp', { ...point, aprilTagId: 7 }))
      return { id: (gcp as Made).id }
    },
    read: (id) => ok(maker.get(`/api/gcp/${id}`)),
    send: (id, record) => maker.put(`/api/gcp/${id}`, { ...record, geoPose: (record.pin as Made).geoPose }),
  },
  'an app': {
    table: 'apps',
    make: async () => {
      await ok(maker.patch(`/api/v1/apps/${app.id}`, { imageUrl: url }))
      return { id: app.id }
    },
    read: (id) => ok(maker.get(`/api/v1/apps/${id}`)),
    send: (id, record) => maker.patch(`/api/v1/apps/${id}`, record),
  },
  'a mini game type': {
    table: 'mini_game_types',
    make: async () => {
      const { id } = await ok(app.post(appUrl('mini-game-types'), { name: 'Maze', imageUrl: url, maxScore: 10 }))
      return { id }
    },
    read: (id) => ok(app.get(appUrl(`mini-game-types/${id}`))),
    send: (id, record) => app.patch(appUrl(`mini-game-types/${id}`), record),
  },
}

describe.each(Object.keys(kinds))('%s with a URL whose file is deleted', (name) => {
  const { table, read, send } = kinds[name]!
  const idOf = () => kinds[name]!.id
  const row = async () =>
    (await sql<Made>(`select t.xmin::text, to_jsonb(t) as row from ${table} t where id = $1`, [idOf()]))[0]!
  const changeCount = async () => (await sql('select count(*) from changes'))[0]

  test('is unchanged when it is written back as read: no row and no event is written', async () => {
    const [record, before, changes] = [await read(idOf()), await row(), await changeCount()]
    expect(JSON.stringify(record)).toContain(url)
    await ok(send(idOf(), record))
    expect([await read(idOf()), await row(), await changeCount()]).toEqual([record, before, changes])
  })

  test('keeps the path of the file when another member changes', async () => {
    const record = await read(idOf())
    const title = 'title' in record ? { title: 'Changed' } : { name: 'Changed' }
    await ok(send(idOf(), { ...record, ...title }))
    const { createdAt, updatedAt, pin, ...rest } = await read(idOf())
    const { createdAt: _, updatedAt: __, pin: ___, ...was } = record
    expect(rest).toEqual({ ...was, ...title })
    const kept = JSON.stringify(await row())
    expect(kept).toContain(`"${new URL(url).pathname}"`)
    expect(kept).not.toContain(url)
  })
})
