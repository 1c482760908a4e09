import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkedPhotos, tagPhoto } from '../../../server/test/content/tags/tag-photos.ts'
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

test('the corners of a tag that was not found are placed by presses and arrow keys, and can be removed', async () => {
  const at = { lat: 18.5, lon: 41.25 }
  const { id } = await harbour.gcp('Slip', at, 7)
  const { bytes, truths } = await tagPhoto([7], { blur: 14 })
  const form = withTexts(formOf({ field: 'files', name: 'DJI_2.jpg', bytes }), { gcpId: String(id) })
  expect((await harbour.keeper.post('/api/upload/gcp-photos', form)).status).toBe(200)
  await checkedPhotos(harbour.keeper, id)
  const tags = async () => (await harbour.keeper.get(`/api/gcp/${id}`)).body.uploadedFiles[0].tags

  const { page, complaints } = await harbour.openMap(`lat=${at.lat}&lon=${at.lon}&radius=50&select=gcp%3A${id}`)
  await page.getByRole('button', { name: 'Photo 1 of Slip', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Photo 1 of Slip' })
  await dialog.getByRole('button', { name: 'Place corners' }).click()
  await dialog.getByRole('button', { name: 'Zoom in' }).click()
  const image = dialog.getByRole('img', { name: 'Photo 1 of Slip' })
  for (const [x, y] of truths[0]!.corners) {
    const { width, height } = (await image.boundingBox())!
    await image.click({ position: { x: ((x + 0.5) / 640) * width, y: ((y + 0.5) / 480) * height } })
  }
  await inAllShapes(page, 'map-corners', () => dialog.getByRole('button', { name: /^Top left/ }).waitFor())
  const handle = dialog.getByRole('button', { name: /^Bottom left/ })
  await handle.focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('ArrowRight')
  await dialog.getByRole('button', { name: 'Save corners' }).click()
  await dialog.getByText('The corners of the tag were placed by hand.').waitFor()
  const [tag] = await tags()
  expect(tag).toMatchObject({ id: 7, source: 'hand' })
  const off = truths[0]!.corners.map(([x, y], corner) => [tag.corners[corner][0] - x, tag.corners[corner][1] - y])
  expect(off[0]![0]).toBeCloseTo(-9, 0)
  for (const [x, y] of off.slice(1)) expect(Math.hypot(x!, y!)).toBeLessThan(1)

  await dialog.getByRole('button', { name: 'Place corners' }).click()
  const ring = (await handle.boundingBox())!
  await page.mouse.move(ring.x + 12, ring.y + 12)
  await page.mouse.down()
  await page.mouse.move(ring.x + 62, ring.y + 12, { steps: 5 })
  await page.mouse.up()
  const scale = (await image.boundingBox())!.width / 640
  const dragged = Number(/: ([\d.]+),/.exec((await handle.getAttribute('aria-label'))!)![1])
  expect(dragged - tag.corners[0][0]).toBeCloseTo(50 / scale, 0)

  await dialog.getByRole('button', { name: 'Remove corners placed by hand' }).click()
  await dialog.getByRole('button', { name: 'Place corners' }).waitFor()
  await expect.poll(tags).toEqual([])
  expect(complaints).toEqual([])
})

test('the panel of a pin has the tags of its relocalization photo', async () => {
  const at = { lat: 17.5, lon: 41.25 }
  const form = formOf({ name: 'gate.jpg', bytes: (await tagPhoto([9, 3])).bytes })
  const { url } = (await harbour.keeper.post('/api/upload/relocalization', form)).body
  const { id } = await harbour.pin('Gate', at, { relocalizationPhotoUrl: url })
  await expect
    .poll(async () => (await harbour.keeper.get(`/api/location/pins/${id}`)).body.relocalizationTags)
    .toEqual([3, 9])
  const { page, complaints } = await harbour.openMap(`lat=${at.lat}&lon=${at.lon}&radius=50&select=pin%3A${id}`)
  const panel = page.getByRole('region', { name: 'Selection' })
  await panel.getByText('Tags in photo').waitFor()
  await panel.getByText('3, 9', { exact: true }).waitFor()
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
  const isSheet = async (link: typeof one) => {
    const sheet = await page.request.get(new URL((await link.getAttribute('href'))!, page.url()).href)
    expect([sheet.status(), sheet.headers()['content-type']]).toEqual([200, 'application/pdf'])
  }
  await isSheet(one)
  await page.goto(page.url().replace(/select=[^&]*/, `select=zone%3A${zoneId}`))
  const all = page.getByRole('link', { name: 'Print its 2 tags (PDF, 160 mm)' })
  await isSheet(all)
  expect(complaints).toEqual([])
})

test('the panel of a zone lists the photos to correct of its points, wrong tags first, and leads to each point', async () => {
  const zoneId = (await harbour.keeper.post('/api/zones', { title: 'Pier' })).body.id
  const points = [
    { title: 'Pile', aprilTagId: 20, photo: { name: 'dim.jpg', bytes: (await tagPhoto([20], { blur: 14 })).bytes } },
    { title: 'Ring', aprilTagId: 21, photo: { name: 'good.jpg', bytes: (await tagPhoto([21])).bytes } },
    { title: 'Stair', aprilTagId: 22, photo: { name: 'wrong.jpg', bytes: (await tagPhoto([9])).bytes } },
  ]
  for (const [north, { photo, ...point }] of points.entries()) {
    const geoPose = { position: { lat: 19.5 + north / 1000, lon: 41.25, h: 2 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
    const made = await harbour.keeper.post('/api/gcp', { gcpType: 'SINGLE', zoneId, geoPose, ...point })
    const gcpId: number = made.body.gcp.id
    const form = withTexts(formOf({ field: 'files', ...photo }), { gcpId: String(gcpId) })
    expect((await harbour.keeper.post('/api/upload/gcp-photos', form)).status).toBe(200)
    await checkedPhotos(harbour.keeper, gcpId)
  }
  const { page, complaints } = await harbour.openMap(`select=zone%3A${zoneId}`)
  const list = page.getByRole('region', { name: '2 photos to correct' })
  await inAllShapes(page, 'map-zone-photos', () => list.waitFor())
  expect(await list.getByRole('listitem').allTextContents()).toEqual([
    'Stair wrong.jpg: The photo shows tag 9, but the point has tag 22: correct one of them',
    expect.stringMatching(/^Pile dim\.jpg: The photo is blurred, and tag 20 is unreadable/),
  ])
  await list.getByRole('button', { name: 'Stair' }).click()
  await page.getByRole('region', { name: 'Selection' }).getByRole('heading', { name: 'Stair' }).waitFor()
  expect(complaints).toEqual([])
})
