import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../server/test/builders.ts'
import { jpeg } from '../../../server/test/content/pictures.ts'
import { startSecondService } from '../../../server/test/service.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'
import { type Harbour, harbourOn, idle, off, rows } from '../support/harbour.ts'

let opened: OpenConsole
let harbour: Harbour
beforeAll(async () => {
  opened = await startConsole()
  harbour = await harbourOn(opened)
})
afterAll(() => opened.stop())

describe('AprilTags used twice', () => {
  /** A pair that was taken while the service had them farther apart than a metre. */
  async function pair(aprilTagId: number, at: { lat: number; lon: number }) {
    const before = await startSecondService(opened.service, { CAIRN_APRIL_TAG_METRES: '1' })
    const user = await buildersOn(before).user()
    const make = async (title: string, north: number) => {
      const geoPose = { position: { lat: at.lat + north, lon: at.lon, h: 2 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
      const { body } = await user.post('/api/gcp', { title, gcpType: 'SINGLE', geoPose, aprilTagId })
      return body.gcp as { id: number }
    }
    const first = await make('Quay stairs N', 0)
    const later = await make('Crane base', 0.0003)
    await before.stop()
    return { first, later }
  }

  test('are shown with their distance, and one press gives the later one a free tag', async () => {
    const { later } = await pair(17, off(-90, 150))
    const { page, complaints } = await harbour.openMap('layers=conflicts')
    const panel = page.getByRole('region', { name: 'Tag 17 is used twice' })
    await panel.getByText(/are \d+\.\d\d m apart/).waitFor()
    await inAllShapes(page, 'map-conflict', async () => {
      await panel.waitFor()
      // What is chosen is in view, also on a map that became narrower.
      await rows(page).and(page.locator('[aria-current="true"]')).waitFor()
      await idle(page)
    })
    // Closed, what was chosen stays closed.
    const chosen = page.getByRole('region', { name: 'Selection' })
    await chosen.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => page.url()).not.toContain('select')
    await page.locator('[data-layer="zones"]').click()
    await page.waitForURL(/layers=(?!conflicts)/)
    expect(await chosen.count()).toBe(0)

    const free = panel.getByRole('button', { name: /^Assign tag \d+ to Crane base/ }).first()
    const tag = Number(await free.textContent())
    await free.click()
    await panel.waitFor({ state: 'detached' })
    expect((await harbour.keeper.get(`/api/gcp/${later.id}`)).body.aprilTagId).toBe(tag)
    expect(complaints).toEqual([])
  })
})

test('a control point names each of its heights, and the reference of its altitude can be set later', async () => {
  const at = { lat: 52.5, lon: 13.4 }
  const geoPose = { position: at, angles: { yaw: 0, pitch: 0, roll: 0 } }
  const mark = { title: 'Levelled', gcpType: 'SINGLE', geoPose, altitude: 34.25, heightDatum: 'unknown' }
  const { id } = (await harbour.keeper.post('/api/gcp', mark)).body.gcp
  const { page, complaints } = await harbour.openMap(`lat=${at.lat}&lon=${at.lon}&radius=50&select=gcp%3A${id}`)
  await page.getByText('Altitude (datum unknown)').waitFor()
  await page.getByText('none, because the datum of the altitude is unknown').waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('form', { name: 'Edit control point' })
  await form.getByLabel('Vertical datum').fill('NAP')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Altitude (NAP)').waitFor()
  await page.getByText('73.83 m, from the altitude, ± 2.00 m').waitFor()
  const { body } = await harbour.keeper.get(`/api/gcp/${id}`)
  expect(body).toMatchObject({ altitude: 34.25, heightDatum: 'EPSG:5709', pin: { latitude: at.lat } })
  expect(complaints).toEqual([])
})

test('the size and placement of a tag are set, checked and cleared, if the control point has a tag', async () => {
  const at = { lat: 33.5, lon: -7.6 }
  const gcp = await harbour.gcp('Gate', at, 23)
  const { page, complaints } = await harbour.openMap(`lat=${at.lat}&lon=${at.lon}&radius=50&select=gcp%3A${gcp.id}`)
  const form = page.getByRole('form', { name: 'Edit control point' })
  const edit = () => page.getByRole('button', { name: 'Edit', exact: true }).click()
  const save = () => form.getByRole('button', { name: 'Save' }).click()
  const stored = async () => (await harbour.keeper.get(`/api/gcp/${gcp.id}`)).body
  await edit()
  await form.getByLabel('Tag size').fill('160.5')
  await form.getByLabel('Heading').fill('350.5')
  // A heading alone is no placement.
  await save()
  await expect.poll(() => form.getByLabel('Tilt').evaluate((field) => field.matches(':invalid'))).toBe(true)
  expect(await stored()).toMatchObject({ tagSize: null, tagPose: null })
  await form.getByLabel('Tilt').fill('200')
  await save()
  await form.getByText(/expected number to be <=180/).waitFor()
  expect(await form.locator('[aria-invalid="true"]').inputValue()).toBe('200')
  await form.getByLabel('Tilt').fill('90')
  await save()
  await page.getByText('160.5 mm', { exact: true }).waitFor()
  await page.getByText('heading 350.5°, tilt 90°, ± 1°').waitFor()
  const tagPose = { heading: 350.5, tilt: 90, turn: 0, accuracy: 1 }
  expect(await stored()).toMatchObject({ tagSize: 0.1605, tagPose })

  await edit()
  await form.getByLabel('Title').fill('North gate')
  await save()
  await form.waitFor({ state: 'detached' })
  expect(await stored()).toMatchObject({ title: 'North gate', tagSize: 0.1605, tagPose })

  await edit()
  for (const label of ['Tag size', 'Heading', 'Tilt', 'Turn', 'Accuracy']) await form.getByLabel(label).fill('')
  await save()
  await form.waitFor({ state: 'detached' })
  expect(await stored()).toMatchObject({ aprilTagId: 23, tagSize: null, tagPose: null })
  await edit()
  await form.getByLabel('AprilTag').fill('')
  await form.getByLabel('Tag size').waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('a control point is created; a tag in use nearby is reported under its field; a photo is added and removed', async () => {
  const at = { lat: 12.5, lon: 41.25 }
  await harbour.gcp('Old mark', at, 21)
  const { page, complaints } = await harbour.openMap(`lat=${at.lat}&lon=${at.lon}&radius=50`)
  await page.getByRole('button', { name: 'Add control point' }).click()
  const form = page.getByRole('form', { name: 'New control point' })
  await form.getByLabel('Title').fill('New mark')
  await form.getByLabel('Altitude').fill('4.2')
  await form.getByLabel('AprilTag').fill('21')
  await form.getByText('A nearby control point already uses this tag').waitFor()
  await form.getByRole('button', { name: 'Add control point' }).click()
  await form.getByText(/already carried by GCP/).waitFor()
  const free = form.getByRole('group', { name: 'Available tags:' }).getByRole('button').first()
  const tag = Number(await free.textContent())
  await free.click()
  await form.getByRole('button', { name: 'Add control point' }).click()
  await page.waitForURL(/select=gcp%3A\d+/)
  const id = /gcp%3A(\d+)/.exec(page.url())![1]
  const { body } = await harbour.keeper.get(`/api/gcp/${id}`)
  expect(body).toMatchObject({ title: 'New mark', aprilTagId: tag, altitude: 4.2 })

  // The service takes three at once.
  const buffer = await jpeg(64, 48)
  const photos = [1, 2, 3].map((n) => ({ name: `mark ${n}.jpg`, mimeType: 'image/jpeg', buffer }))
  const notOne = { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo') }
  await page.locator('input[type="file"]').setInputFiles([...photos, notOne])
  await page.getByText(/^Not added: notes\.jpg/).waitFor()
  const shown = page.getByRole('img', { name: 'Photo 1 of New mark' })
  await inAllShapes(page, 'map-gcp', async () => {
    await page.getByRole('heading', { name: '3 photos' }).waitFor()
    await shown.waitFor()
    await idle(page)
  })
  const width = `document.querySelector('img[alt="Photo 1 of New mark"]').naturalWidth`
  await expect.poll(() => page.evaluate(width)).toBeGreaterThan(0)
  for (const left of ['2 photos', '1 photo', 'No photos']) {
    await page.getByRole('button', { name: 'Remove photo 1' }).click()
    await page.getByRole('heading', { name: left, exact: true }).waitFor()
  }
  expect((await harbour.keeper.get(`/api/gcp/${id}`)).body.photoUrls).toEqual([])
  expect(complaints).toEqual([])
})
