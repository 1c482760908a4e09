import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { expectAccessible, inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'
import { type Harbour, harbourOn, idle } from '../support/harbour.ts'

let opened: OpenConsole
let harbour: Harbour
beforeAll(async () => {
  opened = await startConsole()
  harbour = await harbourOn(opened)
})
afterAll(() => opened.stop())

async function harbourMap() {
  const { keeper } = harbour
  const { pins } = (await keeper.get('/api/location/pins?lat=54.323917&lon=10.139402&radius=2000')).body
  const own = pins.filter(({ gcpId }: { gcpId: number | null }) => gcpId === null)
  const pinIds = own.map(({ id }: { id: number }) => id).slice(0, 5)
  const { zones } = (await keeper.get('/api/zones')).body
  const body = { title: 'Round the harbour', pinIds, zoneIds: zones.slice(0, 1).map(({ id }: { id: number }) => id) }
  const { status, body: map } = await keeper.post('/api/v1/user/maps', body)
  expect(status).toBe(201)
  return { ...map, first: own[0] as { id: number; title: string } }
}

/** A page of another site that shows an address in a frame. */
async function framing(address: string): Promise<string> {
  const html = `<!doctype html><title>Another site</title><iframe src="${address}" width="900" height="600"></iframe>`
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}/`
}

test('a shared map is drawn for anyone, and a place in its list opens on the map', async () => {
  const map = await harbourMap()
  const { page, complaints } = await opened.open(`/../m/${map.id}`)
  await page.getByRole('heading', { name: 'Round the harbour' }).waitFor()
  await inAllShapes(page, 'shared-map', () => idle(page))
  await page.getByRole('link', { name: map.first.title }).click()
  await page.locator('.maplibregl-popup').getByText(map.first.title).waitFor()
  expect(await page.evaluate('localStorage.length + sessionStorage.length'), 'nothing is stored').toBe(0)
  expect(complaints).toEqual([])
})

test('the attribution, the scale and the popup of a shared map have the colours of the theme', async () => {
  const map = await harbourMap()
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await opened.open(`/../m/${map.id}`, { colorScheme })
    await idle(page)
    const [label, ...drawn] = await page.evaluate<string[]>(`(() => {
      const probe = document.body.appendChild(document.createElement('i'))
      probe.style.color = 'var(--map-label)'
      const shown = ['.maplibregl-ctrl-attrib', '.maplibregl-ctrl-scale'].map((one) => document.querySelector(one))
      return [probe, ...shown].map((one) => getComputedStyle(one).color)
    })()`)
    expect(drawn).toEqual([label, label])
    await page.getByRole('link', { name: map.first.title }).click()
    await page.locator('.maplibregl-popup').waitFor()
    const [tip, popup] = await page.evaluate<string[]>(`[
      getComputedStyle(document.querySelector('.maplibregl-popup-anchor-bottom .maplibregl-popup-tip')).borderTopColor,
      getComputedStyle(document.querySelector('.maplibregl-popup-content')).backgroundColor,
    ]`)
    expect(tip, 'the tip of the popup').toBe(popup)
    await expectAccessible(page)
  }
})

test('a shared map is in the language of the browser', async () => {
  const map = await harbourMap()
  const { page, complaints } = await opened.open(`/../m/${map.id}`, { locale: 'de-CH' })
  await page.getByRole('heading', { name: 'Orte' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await page.getByRole('link', { name: map.first.title }).click()
  await page.getByRole('button', { name: 'Schließen' }).waitFor()
  expect(complaints).toEqual([])
})

test('without scripts, or where nothing can be drawn, the lists stand alone', async () => {
  const map = await harbourMap()
  const noDrawing = 'HTMLCanvasElement.prototype.getContext = () => null'
  for (const options of [{ javaScriptEnabled: false }, { script: noDrawing }]) {
    const { page } = await opened.open(`/../m/${map.id}`, options)
    await page.getByRole('link', { name: map.first.title }).waitFor()
    await expect.poll(() => page.locator('#map').isVisible()).toBe(false)
    await page
      .getByText(/^54\.32\d{3}, 10\.1\d{4}$/)
      .first()
      .waitFor()
  }
})

test('in a frame of another site, which denies it storage, it is drawn too and sets no cookie', async () => {
  const map = await harbourMap()
  const { page, complaints } = await opened.open(`/../m/${map.id}`)
  await page.goto(await framing(map.url))
  const frame = page.frameLocator('iframe')
  await frame.locator('[data-map=idle]').waitFor()
  await frame.getByRole('link', { name: map.first.title }).waitFor()
  expect(await page.context().cookies()).toEqual([])
  expect(complaints.filter((one) => !one.startsWith('fetched http://localhost'))).toEqual([])
})

test('a map is created in the console, opened by its link, embedded, changed and deleted', async () => {
  const { open, person, given } = opened
  const maker = await person({ name: 'maker' })
  const app = await given.app({ owner: maker, name: 'Trail' })
  const { page, complaints } = await open('/map', { token: maker.token })
  await page.getByRole('link', { name: 'Share a map' }).click()
  await page.getByText('No shared maps yet').waitFor()
  await page.getByRole('button', { name: 'New shared map' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Round the harbour')
  await page.getByRole('combobox', { name: 'Zones' }).click()
  await page.getByRole('option', { name: 'Old Harbour' }).click()
  await page.getByRole('combobox', { name: 'Leaderboards' }).click()
  await page.getByRole('option', { name: 'Trail: default game' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Other pins' }).fill('999999')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Create map' }).click()
  await page.getByText('There is no pin 999999').waitFor()
  await page.getByRole('combobox', { name: 'Other pins' }).press('Backspace')
  await page.getByRole('button', { name: 'Create map' }).click()
  const row = page.getByRole('row', { name: /Round the harbour/ })
  await inAllShapes(page, 'shared-maps', () => row.waitFor())
  const [map] = (await maker.get('/api/v1/user/maps')).body.maps
  expect(map).toMatchObject({
    zoneIds: [expect.any(Number)],
    pinIds: [],
    boards: [{ appId: app.id, miniGameTypeId: null }],
  })
  expect(await row.getByRole('link').getAttribute('href')).toBe(map.url)

  await row.getByRole('button', { name: 'Embed Round the harbour' }).click()
  await page.getByText(`<iframe src="${map.url}" title="Round the harbour"`).waitFor()
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: 'Change Round the harbour' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('The harbour')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('button', { name: 'Change The harbour' }).click()
  await page.getByRole('button', { name: 'Delete map' }).click()
  await page
    .getByRole('dialog', { name: /^Delete the map/ })
    .getByRole('button', { name: 'Delete map' })
    .click()
  await page.getByText('No shared maps yet').waitFor()
  expect((await fetch(map.url)).status).toBe(404)
  expect(complaints).toEqual([])
})

test('the page lists places without scripts, escapes what people wrote, and may be framed', async () => {
  const { keeper } = harbour
  const pin = { title: '<b>Well</b>', contentType: 'AUDIO', latitude: 1, longitude: 2 }
  const { id } = (await keeper.post('/api/location/pins', pin)).body
  const map = (await keeper.post('/api/v1/user/maps', { title: 'A & B', pinIds: [id] })).body
  const page = await fetch(map.url)
  const text = await page.text()
  expect(page.status).toBe(200)
  expect(text).toContain('<title>A &amp; B</title>')
  expect(text).toContain('&lt;b&gt;Well&lt;/b&gt;')
  expect(text).not.toContain('__')
  expect(page.headers.get('content-security-policy')).toContain('frame-ancestors *')
  expect(page.headers.get('x-frame-options')).toBeNull()
  expect(page.headers.get('set-cookie')).toBeNull()
})
