import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn, type User } from '../../test/builders.ts'
import { jpeg } from '../../test/content/pictures.ts'
import { formOf, withTexts } from '../../test/multipart.ts'
import { type Service, startService } from '../../test/service.ts'
import { gcpsBy, pose } from '../../test/surveying/gcps.ts'

let service: Service
let user: User
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

const { create } = gcpsBy(() => user)
const square = [
  [0, 0],
  [2, 0],
  [2, 2],
  [0, 2],
  [0, 0],
]

test('a list has each point as it is read alone, with the same members in the same order', async () => {
  const boundary = { type: 'Polygon', coordinates: [square] }
  const zoneId = (await user.post('/api/zones', { title: 'Säule "A"', boundary })).body.id
  const texts = {
    title: 'Größe "1" \\ \u2028 𝄞',
    description: 'a\r\nb </script>',
    gcpData: '{"a": [1.50, "\\u0041"]}',
  }
  await create({ ...texts, zoneId, geoPose: pose(1, 1), aprilTagId: 7, tagSize: 0.165 })
  await create({ zoneId, geoPose: pose(-1e-7, 1.123456789012345, 1e-7), altitude: 34.25, heightDatum: 'EGM96' })
  await create({ zoneId, photoUrls: ['https://a.example/1.jpg?a=1'] })
  const photographed = (await create({ zoneId, geoPose: pose(3, 1) })).body.gcp.id
  const form = formOf({ field: 'files', name: 'a.jpg', bytes: await jpeg(60, 40) })
  expect((await user.post('/api/upload/gcp-photos', withTexts(form, { gcpId: photographed }))).status).toBe(200)
  const isChecked = async () =>
    (await user.get(`/api/gcp/${photographed}`)).body.uploadedFiles[0].tagCheck !== 'pending'
  await expect.poll(isChecked).toBe(true)
  await create({ geoPose: pose(4, 1) })

  expect(zoneId).toBeGreaterThan(0)
  const inZone = (await user.get(`/api/gcp?zoneId=${zoneId}`)).body
  expect(inZone.map(({ outsideZone }: { outsideZone: boolean | null }) => outsideZone)).toEqual([
    false,
    true,
    null,
    true,
  ])
  expect(inZone[3].uploadedFiles).toHaveLength(1)
  for (const listed of (await user.get('/api/gcp')).body) {
    const { body } = await user.get(`/api/gcp/${listed.id}`)
    expect(listed).toEqual(body)
    expect(Object.keys(listed)).toEqual(Object.keys(body))
    expect(Object.keys(listed.pin)).toEqual(Object.keys(body.pin))
  }
})

test('a page with poses in another form has at most 1,000 points, and a link to the next', async () => {
  const zoneId = (await user.post('/api/zones', { title: 'Long' })).body.id
  for (let i = 0; i < 2; i++) await create({ zoneId, geoPose: pose(1, 1 + i) })
  const page = await user.get(`/api/gcp?zoneId=${zoneId}&pose=quaternion&limit=1`)
  expect(page.body).toHaveLength(1)
  const [, next] = /<([^>]+)>/.exec(page.headers.get('link')!)!
  const rest = await user.get(next!)
  expect([rest.body.length, rest.headers.get('link')]).toEqual([1, null])
  expect((await user.get(`/api/gcp?zoneId=${zoneId}&pose=quaternion`)).body).toEqual([...page.body, ...rest.body])
})
