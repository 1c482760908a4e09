import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { runQgis } from '../../../test/programs/qgis.ts'
import { type Service, startService } from '../../../test/service.ts'

type Row = Record<string, unknown> & { at: string; title: string }
type Layer = { isReadOnly: boolean; types: Record<string, string>; features: Row[] }
type Reply = { status: number; location: string | null; body: string }
type Edited = { answers: Record<string, Record<string, Reply>>; layers: Record<string, Layer> }

let service: Service
let qgis: Edited
let before: Record<string, unknown>
beforeAll(async () => {
  service = await startService()
  const user = await buildersOn(service).user()
  const other = await buildersOn(service).user()
  const pin = (title: string) => ({ title, contentType: 'GLB', latitude: 52, longitude: 13, scanInstructions: 'é "1"' })
  const gcp = (title: string) => ({
    title,
    gcpType: 'SINGLE',
    altitude: 12.25,
    aprilTagId: title === 'Corner' ? 7 : null,
    geoPose: { position: { lat: 52, lon: 13, h: 40.5 }, angles: { yaw: 37.25, pitch: 0, roll: 0 } },
  })
  const ids: Record<string, number> = {}
  for (const title of ['Well', 'Old well']) ids[title] = (await user.post('/api/location/pins', pin(title))).body.id
  for (const title of ['Corner', 'Old corner']) ids[title] = (await user.post('/api/gcp', gcp(title))).body.gcp.id
  before = (await user.get(`/ogc/collections/gcps/items/${ids.Corner}`)).body
  const { token } = (await user.post('/api/v1/user/tokens', { name: 'QGIS', scope: 'write' })).body
  await other.post('/api/zones', { title: 'Of another user' })
  const edits = {
    pins: {
      ...{ id: ids.Well, title: 'Well', remove: ids['Old well'] },
      ...{ set: { title: 'Deep well', contentType: 'USDZ' }, move: 'Point (13.5 52.5)' },
      add: { set: { title: 'New well', contentType: 'GLB' }, at: 'Point (14 53)' },
    },
    gcps: {
      ...{ id: ids.Corner, title: 'Corner', remove: ids['Old corner'] },
      ...{ set: { title: 'Moved corner', aprilTagId: 9, yaw: 12.5 }, move: 'PointZ (13.25 52.25 41.75)' },
      add: { set: { title: 'New corner', gcpType: 'MULTI', altitude: 3 }, at: 'PointZ (14 53 55.5)' },
    },
  }
  qgis = (await runQgis(service, 'qgis-edit.py', [`${service.url}/ogc`, token, JSON.stringify(edits)])) as Edited
})
afterAll(() => service.stop())

const row = (layer: string, title: string) => qgis.layers[layer]!.features.find((one) => one.title === title)

describe('QGIS with a personal token', () => {
  test('opens every layer; this QGIS offers no editing of its own', () => {
    expect(Object.keys(qgis.layers)).toEqual(['pins', 'gcps', 'zones'])
    for (const { isReadOnly } of Object.values(qgis.layers)) expect(isReadOnly).toBe(true)
  })

  test('sends a feature back as it has it, and nothing changes', () => {
    expect(JSON.parse(qgis.answers.gcps!.same!.body)).toEqual(before)
  })

  test('changes attributes and the place of a pin', () => {
    expect(qgis.answers.pins!.put!.status).toBe(200)
    expect(row('pins', 'Deep well')).toMatchObject({
      at: 'Point (13.5 52.5)',
      contentType: 'USDZ',
      scanInstructions: 'é "1"',
    })
    expect(row('pins', 'Well')).toBeUndefined()
  })

  test('changes attributes and the place of a ground control point, and keeps its measured height', () => {
    expect(qgis.answers.gcps!.put!.status).toBe(200)
    expect(row('gcps', 'Moved corner')).toMatchObject({
      at: 'PointZ (13.25 52.25 41.75)',
      altitude: 12.25,
      aprilTagId: 9,
      yaw: 12.5,
    })
  })

  test('adds a pin and a ground control point, and deletes others', () => {
    for (const layer of ['pins', 'gcps']) {
      const { post, delete: removed } = qgis.answers[layer]!
      expect([post!.status, removed!.status]).toEqual([201, 204])
      expect(post!.location).toContain(`/ogc/collections/${layer}/items/`)
    }
    expect(row('pins', 'New well')).toMatchObject({ at: 'Point (14 53)', contentType: 'GLB' })
    expect(row('gcps', 'New corner')).toMatchObject({ at: 'PointZ (14 53 55.5)', gcpType: 'MULTI', altitude: 3 })
    expect([row('pins', 'Old well'), row('gcps', 'Old corner')]).toEqual([undefined, undefined])
  })
})
