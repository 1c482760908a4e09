import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { LAYERS } from '../../../test/ogc/layers.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
let user: Caller
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

const PROPERTIES = {
  pins: { title: 'New', contentType: 'GLB' },
  gcps: { title: 'New', gcpType: 'SINGLE' },
  zones: { title: 'New' },
}
const GEOMETRIES = {
  pins: { type: 'Point', coordinates: [5, 52] },
  gcps: { type: 'Point', coordinates: [5, 52, 10] },
  zones: {
    type: 'Polygon',
    coordinates: [
      [
        [5, 52],
        [6, 52],
        [6, 53],
        [5, 52],
      ],
    ],
  },
}
const as = (type: string) => service.as({ ...user.headers, 'content-type': type })

describe.each(LAYERS)('a feature of %s', (layer) => {
  const properties = PROPERTIES[layer]
  const feature = { type: 'Feature', geometry: GEOMETRIES[layer], properties }
  const created = async () =>
    as('application/geo+json').post(`/ogc/collections/${layer}/items`, JSON.stringify(feature))

  test('is created, replaced, updated and deleted with the statuses and headers of the standard', async () => {
    const { status, headers, body } = await created()
    expect([status, headers.get('location')]).toEqual([201, expect.stringMatching(/^http/)])
    const address = headers.get('location')!
    const read = await service.anonymous.get(address)
    expect([read.status, read.body]).toEqual([200, body])
    expect(read.body).toMatchObject({ geometry: feature.geometry, properties })
    expect(read.headers.get('etag')).toMatch(/^"/)

    const replacement = { ...feature, id: 999_999, properties: { ...properties, title: 'Replaced' } }
    const replaced = await as('application/geo+json').put(address, JSON.stringify(replacement))
    expect([replaced.status, replaced.body.id, replaced.body.properties.title]).toEqual([200, body.id, 'Replaced'])
    const tag = replaced.headers.get('etag')!
    expect((await service.anonymous.get(address)).headers.get('etag')).toBe(tag)

    const patch = JSON.stringify({ id: 999_999, properties: { title: 'Updated' } })
    const updated = await as('application/merge-patch+json').patch(address, patch)
    expect([updated.status, updated.body.id, updated.body.properties.title]).toEqual([200, body.id, 'Updated'])
    expect(updated.headers.get('etag')).not.toBe(tag)

    expect((await user.delete(address)).status).toBe(204)
    expect((await service.anonymous.get(address)).status).toBe(404)
    for (const answer of [
      await as('application/geo+json').put(address, JSON.stringify(feature)),
      await as('application/merge-patch+json').patch(address, patch),
      await user.delete(address),
    ])
      expect(answer.status).toBe(404)
  })

  test('is written only in a media type that the description lists: 415 otherwise', async () => {
    const address = (await created()).headers.get('location')!
    const { paths } = (await service.anonymous.get('/ogc/api')).body
    const { put, patch } = paths[`/collections/${layer}/items/{featureId}`]
    expect(Object.keys(put.requestBody.content)).toEqual(['application/geo+json'])
    expect(Object.keys(patch.requestBody.content)).toEqual(['application/merge-patch+json'])
    const body = JSON.stringify(feature)
    for (const answer of [
      await as('application/gml+xml').post(`/ogc/collections/${layer}/items`, body),
      await as('application/gml+xml').put(address, body),
      await as('text/plain').patch(address, body),
    ])
      expect(answer.status).toBe(415)
  })

  test('fits the schema of its request, and what does not fit is 400', async () => {
    const path = `/ogc/collections/${layer}`
    for (const type of ['create', 'replace', 'update']) {
      const { status, headers, body } = await service.anonymous.get(`${path}/schema?type=${type}`)
      expect([status, headers.get('content-type')]).toEqual([200, 'application/schema+json'])
      expect(body.additionalProperties).toBe(false)
      expect(Object.keys(body.properties)).toEqual(expect.arrayContaining(['title', 'geometry']))
    }
    for (const more of [{ title: 7 }, { colour: 'red' }]) {
      const wrong = { ...feature, properties: { ...properties, ...more } }
      expect([more, (await user.post(`${path}/items`, wrong)).status]).toEqual([more, 400])
    }
  })
})
