import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenOn } from '../../server/test/given.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { startAnother } from '../../server/test/service.ts'
import { sqlOn } from '../../server/test/sql.ts'
import { inAllShapes, type OpenConsole, startConsole } from './console.ts'

const HARBOUR = { lat: 54.323917, lon: 10.139402 }
const AROUND = `lat=${HARBOUR.lat}&lon=${HARBOUR.lon}&radius=180`

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
beforeAll(async () => {
  opened = await startConsole()
  keeper = await opened.person()
})
afterAll(() => opened.stop())

/** A place some metres north and east of the harbour. */
const off = (north: number, east: number) => ({
  lat: HARBOUR.lat + north / 111_320,
  lon: HARBOUR.lon + east / (111_320 * Math.cos((HARBOUR.lat * Math.PI) / 180)),
})

async function pin(title: string, at: { lat: number; lon: number }, more: object = {}): Promise<{ id: number }> {
  const made = await keeper.post('/api/location/pins', {
    ...{ title, contentType: 'AUDIO', latitude: at.lat, longitude: at.lon },
    ...more,
  })
  expect(made.status).toBe(201)
  return made.body
}

async function gcp(title: string, at: { lat: number; lon: number }, aprilTagId: number): Promise<{ id: number }> {
  const geoPose = { position: { ...at, h: 2 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
  const made = await keeper.post('/api/gcp', { title, gcpType: 'SINGLE', geoPose, aprilTagId })
  expect(made.status).toBe(201)
  return made.body.gcp
}

const openMap = (search: string) => opened.open(`/map?${search}`, { token: keeper.token })
const idle = (page: Page) => page.locator('[data-map="idle"]').waitFor()
const rows = (page: Page) => page.getByRole('region', { name: 'Places' }).locator('[data-row]')

/** Whether the map shows the edge of the search. */
async function isEdgeSeen(page: Page): Promise<boolean> {
  const map = await page.locator('[data-map]').boundingBox()
  const edge = await page.getByRole('button', { name: 'Change the radius' }).boundingBox()
  return map !== null && edge !== null && edge.x > map.x && edge.x + edge.width < map.x + map.width
}

describe('the map', () => {
  let harbourPin: { id: number }
  beforeAll(async () => {
    harbourPin = await pin('Bell rope', off(40, 38), {
      latitude: undefined,
      longitude: undefined,
      geoPose: { position: { ...off(40, 38), h: 3 }, angles: { yaw: 30, pitch: 0, roll: 0 } },
    })
    for (const [i, title] of ['Lantern 3, chandlery', 'Chart room window', 'Old waterline', 'Tide gauge'].entries())
      await pin(title, off(-60 + i * 35, -80 + i * 45))
    for (const [i, title] of ['Outer mole', 'Tannery gate', 'Ferry stairs'].entries())
      await pin(title, off(250, -300 + i * 280))
    await gcp('Mill bridge W', off(60, -90), 4)
    await gcp('Ropewalk arch', off(20, 130), 31)
    await keeper.post('/api/zones', {
      title: 'Old Harbour',
      boundary: {
        type: 'Polygon',
        coordinates: [
          [off(130, -160), off(150, 60), off(60, 230), off(-160, 120), off(-120, -150), off(130, -160)].map(
            ({ lat, lon }) => [lon, lat],
          ),
        ],
      },
    })
  })

  test('lists what the service finds within the radius, nearest first, to the centimetre', async () => {
    const { page, complaints } = await openMap(AROUND)
    await rows(page).nth(6).waitFor()
    const { pins } = (await keeper.get(`/api/location/pins?${AROUND}`)).body
    expect(await rows(page).locator('.num').allTextContents()).toEqual(
      pins.map(({ distance }: { distance: number }) => `${distance.toFixed(2)} m`),
    )
    await idle(page)
    await inAllShapes(page, 'map', async () => {
      await rows(page).nth(6).waitFor()
      // The whole circle is seen, also on a map that became narrower.
      await expect.poll(async () => await isEdgeSeen(page)).toBe(true)
      await idle(page)
    })
    expect(complaints).toEqual([])
  })

  test('the list and the map choose for each other', async () => {
    const { page, complaints } = await openMap(AROUND)
    await page.getByRole('button', { name: /^Bell rope/ }).click()
    await page.waitForURL(new RegExp(`select=pin%3A${harbourPin.id}`))
    await page.getByRole('region', { name: 'Chosen' }).getByText('yaw 30°').waitFor()

    // The map shows the point of the search in its middle, and the pin where its handle is: pressed without the handle, it is chosen again.
    await idle(page)
    const handle = await page.getByRole('button', { name: 'Move Bell rope' }).boundingBox()
    await page.getByRole('region', { name: 'Chosen' }).getByRole('button', { name: 'Close' }).click()
    await page.getByRole('region', { name: 'Chosen' }).waitFor({ state: 'detached' })
    await idle(page)
    await page.mouse.click(handle!.x + handle!.width / 2, handle!.y + handle!.height / 2 - 12)
    await page.getByRole('region', { name: 'Chosen' }).getByRole('heading', { name: 'Bell rope' }).waitFor()
    expect(await page.locator('[data-row][aria-current="true"]').textContent()).toContain('Bell rope')
    expect(complaints).toEqual([])
  })

  test('Escape closes what was chosen, from its panel too, and leads back to its row; in a field it does not', async () => {
    const { page, complaints } = await openMap(AROUND)
    const chosen = page.getByRole('region', { name: 'Chosen' })
    const focused = () => page.evaluate<string>('document.activeElement.closest("[data-row]")?.textContent')
    for (const [row, isZone] of [
      [rows(page).filter({ hasText: 'Tide gauge' }), false],
      [page.getByRole('region', { name: 'Zones' }).getByRole('button', { name: 'Old Harbour' }), true],
    ] as const) {
      await row.focus()
      await page.keyboard.press('Enter')
      await chosen.getByRole('button', { name: 'Edit' }).focus()
      await page.keyboard.press('Escape')
      await chosen.waitFor({ state: 'detached' })
      await expect.poll(() => page.url()).not.toContain('select')
      expect(await focused()).toContain(isZone ? 'Old Harbour' : 'Tide gauge')
    }
    // By its button likewise.
    await page.keyboard.press('Enter')
    await chosen.getByRole('button', { name: 'Close' }).focus()
    await page.keyboard.press('Enter')
    await chosen.waitFor({ state: 'detached' })
    expect(await focused()).toContain('Old Harbour')

    await page.keyboard.press('Enter')
    await chosen.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('form', { name: 'Edit zone' })
    await form.getByLabel('Title').press('Escape')
    await form.getByRole('button', { name: 'Save' }).press('Escape')
    await form.getByRole('button', { name: 'Save' }).click()
    await chosen.getByRole('heading', { name: 'Old Harbour' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('a pin is moved by arrow keys and by dragging, the service has the new place, and undo brings it back', async () => {
    const { id } = await pin('Tide mark', off(-30, 20))
    const placeNow = async () => {
      const { latitude, longitude } = (await keeper.get(`/api/location/pins/${id}`)).body
      return [latitude, longitude]
    }
    const before = await placeNow()
    const { page, complaints } = await openMap(`${AROUND}&select=pin:${id}`)
    const handle = page.getByRole('button', { name: 'Move Tide mark' })
    await idle(page)
    await handle.focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByText(/Tide mark moved by/).waitFor()
    const [latitude, longitude] = await placeNow()
    expect(latitude).toBeGreaterThan(before[0])
    expect(longitude).toBeGreaterThan(before[1])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(placeNow).toEqual(before)

    await idle(page)
    const at = (await handle.boundingBox())!
    const [x, y] = [at.x + at.width / 2, at.y + at.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x - 40, y + 30, { steps: 5 })
    await page.mouse.up()
    await page.getByText(/Tide mark moved by/).waitFor()
    await expect.poll(async () => (await placeNow())[1]).toBeLessThan(before[1])
    expect(complaints).toEqual([])
  })

  test('a pin that may not be moved goes back to where it was, let go or moved by keys', async () => {
    const visitor = await opened.person({ name: 'passer-by', roles: [] })
    const { page } = await opened.open(`/map?${AROUND}&select=pin:${harbourPin.id}`, { token: visitor.token })
    const handle = page.getByRole('button', { name: 'Move Bell rope' })
    const refusal = page.getByText('Bell rope was not moved')
    await handle.waitFor()
    await idle(page)
    const before = (await handle.boundingBox())!
    await handle.focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Enter')
    await refusal.waitFor()
    await expect.poll(() => handle.boundingBox()).toEqual(before)

    const [x, y] = [before.x + before.width / 2, before.y + before.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x - 40, y + 30, { steps: 5 })
    expect(await handle.boundingBox()).not.toEqual(before)
    await page.mouse.up()
    await refusal.nth(1).waitFor()
    await expect.poll(() => handle.boundingBox()).toEqual(before)
  })

  test('a pin that was deleted is gone when the page is left before its undo has passed', async () => {
    const { id } = await pin('Loose plank', off(-20, 60))
    const { page, complaints } = await openMap(`${AROUND}&select=pin:${id}`)
    await page.getByRole('region', { name: 'Chosen' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText(/Loose plank is deleted/).waitFor()
    await page.reload()
    await expect.poll(async () => (await keeper.get(`/api/location/pins/${id}`)).status).toBe(404)
    expect(complaints).toEqual([])
  })

  test('a form whose place is none is not saved, and leads back to where it was opened', async () => {
    const { id } = await pin('Mooring post', off(-45, 10))
    const { page, complaints } = await openMap(`${AROUND}&select=pin:${id}`)
    const edit = page.getByRole('region', { name: 'Chosen' }).getByRole('button', { name: 'Edit' })
    await edit.click()
    const form = page.getByRole('form', { name: 'Edit pin' })
    const place = form.getByLabel('Place: latitude, longitude')
    const save = form.getByRole('button', { name: 'Save' })
    await form.getByLabel('Title').fill('Mooring post, new')
    for (const wrong of ['54.3241, east', '']) {
      await place.fill(wrong)
      await save.focus()
      await page.keyboard.press('Enter')
      await form.getByText(/^Write latitude and longitude/).waitFor()
      await expect.poll(() => place.evaluate((field) => field.ownerDocument.activeElement === field)).toBe(true)
    }
    expect((await keeper.get(`/api/location/pins/${id}`)).body.title).toBe('Mooring post')
    await place.fill('54.3236, 10.1396')
    await save.click()
    await edit.waitFor()
    await expect.poll(() => edit.evaluate((button) => button.ownerDocument.activeElement === button)).toBe(true)
    expect((await keeper.get(`/api/location/pins/${id}`)).body).toMatchObject({
      title: 'Mooring post, new',
      latitude: 54.3236,
    })

    const make = page.getByRole('button', { name: 'Add a pin' })
    await make.click()
    await page.getByRole('form', { name: 'New pin' }).getByRole('button', { name: 'Cancel' }).last().click()
    await expect.poll(() => make.evaluate((button) => button.ownerDocument.activeElement === button)).toBe(true)
    expect(complaints).toEqual([])
  })

  test('a pin is made at a written place with a direction, changed, and deleted once its undo has passed', async () => {
    const { page, complaints } = await openMap(AROUND)
    await page.getByRole('button', { name: 'Add a pin' }).click()
    const form = page.getByRole('form', { name: 'New pin' })
    await form.getByRole('button', { name: 'Add pin' }).click()
    await expect.poll(() => form.getByLabel('Title').getAttribute('aria-invalid')).toBe('true')
    await inAllShapes(page, 'map-pin-form', async () => {
      await form.waitFor()
      await idle(page)
    })
    await form.getByLabel('Title').fill('Signal mast')
    await form.getByLabel('Place: latitude, longitude').fill('54.3241, 10.1401')
    await form.getByLabel('Yaw').fill('90')
    await form.getByRole('button', { name: 'Add pin' }).click()
    await page.waitForURL(/select=pin%3A\d+/)
    const id = /pin%3A(\d+)/.exec(page.url())![1]
    const { body } = await keeper.get(`/api/location/pins/${id}`)
    expect(body).toMatchObject({
      title: 'Signal mast',
      geoPose: { position: { lat: 54.3241, lon: 10.1401 }, angles: { yaw: 90, pitch: 0, roll: 0 } },
    })

    const chosen = page.getByRole('region', { name: 'Chosen' })
    await chosen.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Title').fill('Signal mast, painted')
    await page.getByRole('button', { name: 'Save' }).click()
    await chosen.getByRole('heading', { name: 'Signal mast, painted' }).waitFor()

    await chosen.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await rows(page).filter({ hasText: 'Signal mast, painted' }).click()
    await chosen.getByRole('button', { name: 'Delete' }).click()
    await rows(page).filter({ hasText: 'Signal mast' }).waitFor({ state: 'detached' })
    expect((await keeper.get(`/api/location/pins/${id}`)).status).toBe(200)
    await page.locator('.mantine-Notification-root').getByRole('button', { name: 'Close' }).last().click()
    await expect.poll(async () => (await keeper.get(`/api/location/pins/${id}`)).status).toBe(404)
    expect(complaints).toEqual([])
  })

  test('who may not change a pin reads why in the form, and the pin stays', async () => {
    const visitor = await opened.person({ name: 'visitor', roles: [] })
    const { page } = await opened.open(`/map?${AROUND}&select=pin:${harbourPin.id}`, { token: visitor.token })
    await page.getByRole('region', { name: 'Chosen' }).getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Title').fill('Mine')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('form').getByRole('alert').waitFor()
    expect((await keeper.get(`/api/location/pins/${harbourPin.id}`)).body.title).toBe('Bell rope')
  })
})

describe('April tags used twice', () => {
  /** A pair that was taken while the service had them farther apart than a metre. */
  async function pair(aprilTagId: number, at: { lat: number; lon: number }) {
    const before = await startAnother(opened.service, { CAIRN_APRIL_TAG_METRES: '1' })
    const user = await givenOn(before).user()
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
    const { page, complaints } = await openMap('layers=conflicts')
    const panel = page.getByRole('region', { name: 'Tag 17 is used twice' })
    await panel.getByText(/are \d+\.\d\d m apart/).waitFor()
    await inAllShapes(page, 'map-conflict', async () => {
      await panel.waitFor()
      // What is chosen is in view, also on a map that became narrower.
      await rows(page).and(page.locator('[aria-current="true"]')).waitFor()
      await idle(page)
    })
    // Closed, what was chosen stays closed.
    const chosen = page.getByRole('region', { name: 'Chosen' })
    await chosen.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => page.url()).not.toContain('select')
    await page.locator('[data-layer="zones"]').click()
    await page.waitForURL(/layers=(?!conflicts)/)
    expect(await chosen.count()).toBe(0)

    const free = panel.getByRole('button', { name: /^Give Crane base tag/ }).first()
    const tag = Number(await free.textContent())
    await free.click()
    await panel.waitFor({ state: 'detached' })
    expect((await keeper.get(`/api/gcp/${later.id}`)).body.aprilTagId).toBe(tag)
    expect(complaints).toEqual([])
  })
})

test('a control point is made; a tag that is taken nearby is told under its field; a photo comes and goes', async () => {
  const at = { lat: 12.5, lon: 41.25 }
  await gcp('Old mark', at, 21)
  const { page, complaints } = await openMap(`lat=${at.lat}&lon=${at.lon}&radius=50`)
  await page.getByRole('button', { name: 'Add a control point' }).click()
  const form = page.getByRole('form', { name: 'New control point' })
  await form.getByLabel('Title').fill('New mark')
  await form.getByLabel('Altitude').fill('4.2')
  await form.getByLabel('April tag').fill('21')
  await form.getByText('A control point nearby carries this tag').waitFor()
  await form.getByRole('button', { name: 'Add control point' }).click()
  await form.getByText(/already carried by GCP/).waitFor()
  const free = form.getByRole('group', { name: 'Free here:' }).getByRole('button').first()
  const tag = Number(await free.textContent())
  await free.click()
  await form.getByRole('button', { name: 'Add control point' }).click()
  await page.waitForURL(/select=gcp%3A\d+/)
  const id = /gcp%3A(\d+)/.exec(page.url())![1]
  const { body } = await keeper.get(`/api/gcp/${id}`)
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
  expect((await keeper.get(`/api/gcp/${id}`)).body.photoUrls).toEqual([])
  expect(complaints).toEqual([])
})

describe('a style with streets', () => {
  const ask = (search: string, console: OpenConsole, token: string) => console.open(`/map?${search}`, { token })

  test('is drawn in the place of the bundled one; one that does not come leaves that', async () => {
    const style = { version: 8, sources: {}, layers: [{ id: 'ground', type: 'background' }] }
    const host = createServer((request, response) => {
      const isThere = request.url === '/style.json'
      response.writeHead(isThere ? 200 : 404, {
        'access-control-allow-origin': '*',
        'content-type': 'application/json',
      })
      response.end(JSON.stringify(isThere ? style : {}))
    })
    await new Promise<void>((done) => host.listen(0, '127.0.0.1', done))
    const base = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
    for (const [path, isBundled] of [
      ['/style.json', false],
      ['/gone.json', true],
    ] as const) {
      const other = await startConsole({ CAIRN_MAP_STYLE_URL: base + path, CAIRN_MAP_HOSTS: base })
      const { token } = await other.person()
      const { page, complaints } = await ask(AROUND, other, token)
      await idle(page)
      await page.getByRole('button', { name: 'Change the radius' }).waitFor()
      expect(await page.getByText('The bundled map has no streets.').count()).toBe(0)
      expect(await page.getByText('Natural Earth').count()).toBe(isBundled ? 1 : 0)
      expect(complaints).toEqual([`fetched ${base}${path}`])
      await other.stop()
    }
    host.close()
  })
})

test('30,000 pins are asked for once, and come in clusters that open when they are pressed', async () => {
  await sqlOn(opened.service)(
    `insert into pins (title, content_type, latitude, longitude)
     select 'Pin ' || n, 'TEXT', -33.835 + (n % 141) * 0.00007, 151.165 + (n / 141) * 0.00007 from generate_series(1, 30000) n`,
  )
  await opened.service.app.pinIndex.caughtUp()
  const { page, complaints } = await opened.open('/scans', { token: keeper.token })
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/ogc/collections/pins/items') asked.push(String(searchParams.get('bbox')))
  })
  await page.goto(`${opened.service.url}/console/map?lat=-33.83&lon=151.17&radius=20000`)
  await page.getByRole('button', { name: `Pins ${(30_000).toLocaleString()}` }).waitFor()
  await idle(page)
  await rows(page).nth(199).waitFor()
  // Three pages of the box that is opened with; none of what lies on the way there.
  expect(asked).toEqual([asked[0], asked[0], asked[0]])
  // Seen from so far they are one cluster, in the middle of the circle.
  const scale = () => page.locator('.maplibregl-ctrl-scale').textContent()
  const before = await scale()
  const map = (await page.locator('[data-map]').boundingBox())!
  const edge = (await page.getByRole('button', { name: 'Change the radius' }).boundingBox())!
  await page.mouse.click(map.x + map.width / 2, edge.y + edge.height / 2)
  await expect.poll(scale).not.toBe(before)
  await idle(page)
  expect(complaints).toEqual([])
})
