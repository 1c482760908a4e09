import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkedPhotos, tagPhoto } from '../../../server/test/content/tag-photos.ts'
import { formOf, withTexts } from '../../../server/test/multipart.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'
import { type Harbour, harbourOn, idle } from '../support/harbour.ts'

let opened: OpenConsole
let harbour: Harbour
beforeAll(async () => {
  opened = await startConsole()
  harbour = await harbourOn(opened)
})
afterAll(() => opened.stop())

test('a photo of a control point opens with its tags drawn over it and the sentences of its check', async () => {
  const at = { lat: 15.5, lon: 41.25 }
  const { id } = await harbour.gcp('Quay', at, 8)
  const { bytes, truths } = await tagPhoto([9, 3])
  const form = withTexts(formOf({ field: 'files', name: 'DJI_1.jpg', bytes }), { gcpId: String(id) })
  expect((await harbour.keeper.post('/api/upload/gcp-photos', form)).status).toBe(200)
  await checkedPhotos(harbour.keeper, id)

  const { page, complaints } = await harbour.openMap(`lat=${at.lat}&lon=${at.lon}&radius=50&select=gcp%3A${id}`)
  const sentence = 'The photo shows tags 3 and 9, but the point has tag 8: correct one of them'
  await page.getByText(`DJI_1.jpg: ${sentence}`).waitFor()
  await idle(page)
  await page.getByRole('button', { name: 'Photo 1 of Quay', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Photo 1 of Quay' })
  await dialog.getByText(sentence, { exact: true }).waitFor()
  await inAllShapes(page, 'map-photo', () => dialog.getByRole('img', { name: 'Tags' }).waitFor())

  // A tag is drawn where it is in the photo.
  const [x, y] = truths.find((tag) => tag.id === 9)!.centre
  const image = (await dialog.getByRole('img', { name: 'Photo 1 of Quay' }).boundingBox())!
  const dot = (await dialog.locator('[data-tag="9"] circle').boundingBox())!
  expect(Math.abs((dot.x + dot.width / 2 - image.x) / image.width - (x + 0.5) / 640)).toBeLessThan(0.005)
  expect(Math.abs((dot.y + dot.height / 2 - image.y) / image.height - (y + 0.5) / 480)).toBeLessThan(0.005)
  expect(complaints).toEqual([])
})

test('the panels of a control point and of a zone lead to the sheets of their tags', async () => {
  const at = { lat: 16.5, lon: 41.25 }
  const zoneId = (await harbour.keeper.post('/api/zones', { title: 'Dock' })).body.id
  const pose = (north: number) => ({
    position: { lat: at.lat + north, lon: at.lon, h: 2 },
    angles: { yaw: 0, pitch: 0, roll: 0 },
  })
  const tags = [
    { aprilTagId: 12, tagSize: 0.2, geoPose: pose(0) },
    { aprilTagId: 5, geoPose: pose(0.0001) },
  ]
  const made = await Promise.all(
    tags.map((tag) => harbour.keeper.post('/api/gcp', { title: 'Post', gcpType: 'SINGLE', zoneId, ...tag })),
  )
  const { page, complaints } = await harbour.openMap(`select=gcp%3A${made[0]!.body.gcp.id}`)
  const one = page.getByRole('link', { name: 'Print tag 12 (PDF, 200 mm)' })
  expect(await one.getAttribute('href')).toBe('/api/v1/tags/sheet?ids=12&size=200')
  await page.goto(page.url().replace(/select=[^&]*/, `select=zone%3A${zoneId}`))
  const all = page.getByRole('link', { name: 'Print its 2 tags (PDF, 160 mm)' })
  const sheet = await page.request.get(new URL((await all.getAttribute('href'))!, page.url()).href)
  expect([sheet.status(), sheet.headers()['content-type']]).toEqual([200, 'application/pdf'])
  expect(complaints).toEqual([])
})
