import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlOn } from '../../../server/test/sql.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'
import { AROUND, type Harbour, harbourOn, idle, rows } from '../support/harbour.ts'

let opened: OpenConsole
let harbour: Harbour
beforeAll(async () => {
  opened = await startConsole()
  harbour = await harbourOn(opened)
})
afterAll(() => opened.stop())

/** Whether the map shows the edge of the search. */
async function isEdgeSeen(page: Page): Promise<boolean> {
  const map = await page.locator('[data-map]').boundingBox()
  const edge = await page.getByRole('button', { name: 'Change the radius' }).boundingBox()
  return map !== null && edge !== null && edge.x > map.x && edge.x + edge.width < map.x + map.width
}

test('lists what the service finds within the radius, nearest first, to the centimetre', async () => {
  const { page, complaints } = await harbour.openMap(AROUND)
  await rows(page).nth(6).waitFor()
  const { pins } = (await harbour.keeper.get(`/api/location/pins?${AROUND}`)).body
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

test('each arrow key of the radius slider changes the radius, at both of its ends', async () => {
  const { page, complaints } = await harbour.openMap(AROUND)
  const slider = page.getByRole('slider', { name: 'Radius' })
  const metres = async () => Number((await slider.getAttribute('aria-valuetext'))!.replace(/\D/g, ''))
  for (const [end, key, sign] of [
    ['Home', 'ArrowRight', 1],
    ['End', 'ArrowLeft', -1],
  ] as const) {
    await slider.press(end)
    for (let before = await metres(), step = 0; step < 4; step++) {
      await slider.press(key)
      const after = await metres()
      expect((after - before) * sign, `${key} at ${before} m`).toBeGreaterThan(0)
      before = after
    }
  }
  await page.waitForURL(/radius=[5-9]\d{4}(&|$)/)
  expect(complaints).toEqual([])
})

test('the list and the map choose for each other', async () => {
  const { page, complaints } = await harbour.openMap(AROUND)
  await page.getByRole('button', { name: /^Bell rope/ }).click()
  await page.waitForURL(new RegExp(`select=pin%3A${harbour.bellRope.id}`))
  await page.getByRole('region', { name: 'Selection' }).getByText('yaw 30°').waitFor()
  await page.getByRole('region', { name: 'Selection' }).getByText('60° from north, north-east').waitFor()

  // The map shows the point of the search in its middle, and the pin where its handle is: pressed without the handle, it is chosen again.
  await idle(page)
  const handle = await page.getByRole('button', { name: 'Move Bell rope' }).boundingBox()
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' })
  await idle(page)
  await page.mouse.click(handle!.x + handle!.width / 2, handle!.y + handle!.height / 2 - 12)
  await page.getByRole('region', { name: 'Selection' }).getByRole('heading', { name: 'Bell rope' }).waitFor()
  expect(await page.locator('[data-row][aria-current="true"]').textContent()).toContain('Bell rope')
  expect(complaints).toEqual([])
})

test('Escape closes what was chosen, from its panel too, and leads back to its row; in a field it does not', async () => {
  const { page, complaints } = await harbour.openMap(AROUND)
  const chosen = page.getByRole('region', { name: 'Selection' })
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

test('30,000 pins are drawn from tiles instead of being loaded; clusters open on a click, and a pin alone is selected', async () => {
  const middle = { lat: -33.83, lon: 151.17 }
  await sqlOn(opened.service)(
    `insert into pins (title, content_type, latitude, longitude)
     select 'Pin ' || n, 'TEXT', -33.835 + (n % 141) * 0.00007, 151.165 + (n / 141) * 0.00007 from generate_series(1, 30000) n
     union all select 'Lone', 'TEXT', ${middle.lat}, ${middle.lon} + 12 / (111.32 * cosd(${middle.lat}))`,
  )
  await opened.service.app.pinIndex.caughtUp()
  const { page, complaints } = await opened.open('/scans', { token: harbour.keeper.token })
  const limits: (string | null)[] = []
  const tiles: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/ogc/collections/pins/items') limits.push(searchParams.get('limit'))
    if (pathname.startsWith('/ogc/collections/pins/tiles/')) tiles.push(pathname)
  })
  await page.goto(`${opened.service.url}/console/map?lat=${middle.lat}&lon=${middle.lon}&radius=20000`)
  await page.getByRole('button', { name: `Pins ${(5000).toLocaleString()}+` }).waitFor()
  await idle(page)
  await rows(page).nth(199).waitFor()
  // It is asked how many there are, and no page of them is loaded.
  expect(new Set(limits)).toEqual(new Set(['1']))
  expect(tiles.length).toBeGreaterThan(0)

  // 12 km to the east, where the edge of the circle is 20.
  const map = (await page.locator('[data-map]').boundingBox())!
  const edge = (await page.getByRole('button', { name: 'Change the radius' }).boundingBox())!
  const [x, y] = [map.x + map.width / 2, edge.y + edge.height / 2]
  await page.mouse.click(x + (edge.x + edge.width / 2 - x) * 0.6, y - 8)
  await page.getByRole('region', { name: 'Selection' }).getByRole('heading', { name: 'Lone' }).waitFor()

  // Seen from so far the others are a few clusters, in the middle of the circle.
  const scale = () => page.locator('.maplibregl-ctrl-scale').textContent()
  const before = await scale()
  await page.mouse.click(x, y)
  await expect.poll(scale).not.toBe(before)
  await idle(page)
  expect(complaints).toEqual([])
})

test('places are drawn from tiles while it is not yet known how many there are', async () => {
  const { page, complaints } = await harbour.openMap('lat=0&lon=0&radius=100')
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/ogc/collections/*/items?*', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${opened.service.url}/console/map?${AROUND}`)
  const isPainted = () => page.evaluate<number>(`performance.getEntriesByName('map-first-paint').length`)
  await expect.poll(isPainted, { timeout: 60_000 }).toBe(1)
  release()
  await page.getByRole('button', { name: /^Pins \d/ }).waitFor()
  await idle(page)
  expect(complaints).toEqual([])
})
