import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'
import { AROUND, idle } from '../support/harbour.ts'

const box = (west: number, south: number, width: number, height: number) => {
  const [east, north] = [west + width, south + height]
  return [west, south, east, south, east, north, west, north, west, south].flatMap((lon, i, all) =>
    i % 2 === 0 ? [[lon, all[i + 1]!]] : [],
  )
}

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
beforeAll(async () => {
  opened = await startConsole()
  keeper = await opened.person()
})
afterAll(() => opened.stop())

const openMap = (search: string) => opened.open(`/map?${search}`, { token: keeper.token })

/** The zone that the address speaks of, as the service has it. */
async function zoneOf(page: Page) {
  await page.waitForURL(/select=zone%3A\d+/)
  return (await keeper.get(`/api/zones/${/zone%3A(\d+)/.exec(page.url())![1]}`)).body
}

/** Presses on the map, in pixels from its middle; each corner is there before the next. */
async function press(page: Page, at: [right: number, down: number][]) {
  const map = (await page.locator('[data-map]').boundingBox())!
  const handles = page.getByRole('button', { name: /^Move corner/ })
  for (const [right, down] of at) {
    const before = await handles.count()
    await page.mouse.click(map.x + map.width / 2 + right, map.y + map.height / 2 + down)
    await expect.poll(() => handles.count()).toBe(before + 1)
  }
}

test('a zone is made of a list of corners, and keyboard alone moves one', async () => {
  const { page, complaints } = await openMap(AROUND)
  await page.getByRole('button', { name: 'Draw zone' }).click()
  await page.getByLabel('Title').fill('Fish market')
  const corners = page.getByLabel(/^Corners/)
  await corners.fill('54.3241, 10.1380\n54.3241, east\n54.3226, 10.1396')
  await page.getByText('Line 2 must be latitude, longitude in degrees').waitFor()
  await corners.fill('54.3241, 10.1380\n54.3241, 10.1412\n54.3226, 10.1396')
  const written = await corners.inputValue()
  await page.getByRole('button', { name: 'Move corner 2' }).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(() => corners.inputValue()).not.toBe(written)
  await page.getByRole('button', { name: 'Add zone' }).click()
  await page.waitForURL(/select=zone%3A\d+/)
  const { body } = await keeper.get(`/api/zones/${/zone%3A(\d+)/.exec(page.url())![1]}`)
  const [ring] = body.boundary.coordinates
  expect(ring).toHaveLength(4)
  expect(ring[0]).toEqual([10.138, 54.3241])
  expect(ring[1][0]).toBeGreaterThan(10.1412)
  expect(ring[3]).toEqual(ring[0])
  expect(complaints).toEqual([])
})

test('a zone is drawn on the map with a hole and a further area, and the last corner can be taken back', async () => {
  const { page, complaints } = await openMap(AROUND)
  await idle(page)
  await page.getByRole('button', { name: 'Draw zone' }).click()
  const form = page.getByRole('form', { name: 'New zone' })
  await form.getByLabel('Title').fill('Wharves')
  const add = (what: string) => form.getByRole('button', { name: `Add ${what}`, exact: true })
  expect(await add('hole').isDisabled()).toBe(true)
  await press(page, [
    [-220, -220],
    [60, -220],
    [60, 120],
    [-220, 120],
  ])
  await add('hole').click()
  await page.getByText('Click the corners of hole 1 of area 1 on the map').waitFor()
  await press(page, [
    [-150, -150],
    [-20, -150],
    [-80, 20],
    [-140, -40],
  ])
  await form.getByRole('button', { name: 'Remove last corner' }).click()
  await page.getByRole('button', { name: 'Move corner 4 of hole 1 of area 1' }).waitFor({ state: 'detached' })
  await add('area').click()
  await press(page, [
    [140, -160],
    [260, -160],
    [200, -60],
  ])
  await inAllShapes(page, 'map-zone', async () => {
    await page.getByRole('button', { name: 'Move corner 3 of area 2' }).waitFor()
    await idle(page)
  })
  await form.getByRole('button', { name: 'Add zone' }).click()
  const { boundary } = await zoneOf(page)
  expect(boundary.type).toBe('MultiPolygon')
  expect(boundary.coordinates.map((area: unknown[][]) => area.map((ring) => ring.length))).toEqual([[5, 4], [4]])
  await page.getByText('2 areas, 1 hole, 10 corners').waitFor()
  expect(complaints).toEqual([])
})

test('of a zone with several areas and holes one corner is moved and one added, and no ring is lost', async () => {
  const before = {
    type: 'MultiPolygon',
    coordinates: [
      [box(10.137, 54.3225, 0.003, 0.002), box(10.1375, 54.3228, 0.0008, 0.0006), box(10.139, 54.3232, 0.0004, 0.0004)],
      [box(10.141, 54.3235, 0.001, 0.001)],
    ],
  }
  const { body: made } = await keeper.post('/api/zones', { title: 'Docks', boundary: before })
  const { page, complaints } = await openMap(`${AROUND}&select=zone:${made.id}`)
  await page.getByRole('region', { name: 'Selection' }).getByText('2 areas, 2 holes, 16 corners').waitFor()
  await idle(page)
  await page.getByRole('button', { name: 'Edit' }).click()
  const corner = page.getByRole('button', { name: 'Move corner 1 of hole 2 of area 1' })
  const written = page.getByLabel(/^Corners/)
  const text = await written.inputValue()
  await corner.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => written.inputValue()).not.toBe(text)
  // The hole was touched last: it is the one that grows.
  const [a, b] = await Promise.all(
    [1, 4].map((n) => page.getByRole('button', { name: `Move corner ${n} of hole 2 of area 1` }).boundingBox()),
  )
  await page.mouse.click((a!.x + b!.x) / 2 - 4, (a!.y + b!.y) / 2 + a!.height / 2)
  await page.getByRole('button', { name: 'Move corner 5 of hole 2 of area 1' }).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('2 areas, 2 holes, 17 corners').waitFor()
  const { boundary } = await zoneOf(page)
  const [[outer, first, second], [further]] = boundary.coordinates
  expect([outer, first, further]).toEqual([
    before.coordinates[0]![0],
    before.coordinates[0]![1],
    before.coordinates[1]![0],
  ])
  expect(second).toHaveLength(6)
  expect(second.slice(1, 4)).toEqual(before.coordinates[0]![2]!.slice(1, 4))
  expect(second[0][0]).toBeGreaterThan(10.139)
  expect(second[5]).toEqual(second[0])
  expect(complaints).toEqual([])
})

test('a link to a zone opens on all its areas, and the map can be moved away from them', async () => {
  const boundary = {
    type: 'MultiPolygon',
    coordinates: [[box(-8.2, 53.1, 0.004, 0.003)], [box(-8.18, 53.12, 0.004, 0.003)]],
  }
  const { body: made } = await keeper.post('/api/zones', { title: 'Two fields', boundary })
  const { page, complaints } = await openMap(`select=zone:${made.id}`)
  await page.getByRole('region', { name: 'Selection' }).getByText('2 areas, 8 corners').waitFor()
  await idle(page)
  await page.getByRole('button', { name: 'Edit' }).click()
  const map = (await page.locator('[data-map]').boundingBox())!
  for (const area of [1, 2])
    for (const corner of [1, 2, 3, 4]) {
      const handle = page.getByRole('button', { name: `Move corner ${corner} of area ${area}` })
      const { x, y } = (await handle.boundingBox())!
      expect(x > map.x && x < map.x + map.width && y > map.y && y < map.y + map.height).toBe(true)
    }
  await page.getByRole('button', { name: 'Cancel' }).last().click()
  const listed = page.getByRole('region', { name: 'Zones' }).getByRole('button', { name: 'Two fields' })
  await listed.waitFor()
  const [middle, left, right] = [map.y + map.height / 2, map.x + 40, map.x + map.width - 40]
  for (let times = 0; times < 4; times++) {
    await page.mouse.move(left, middle)
    await page.mouse.down()
    await page.mouse.move(right, middle, { steps: 5 })
    await page.mouse.up()
  }
  await listed.waitFor({ state: 'detached' })
  await idle(page)
  expect(await listed.count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a zone whose title alone is changed keeps its boundary to the last digit', async () => {
  const boundary = {
    type: 'Polygon',
    coordinates: [box(10.1371234567891, 54.3225, 0.003, 0.002).map((at) => [...at, 12.5])],
  }
  const { body: made } = await keeper.post('/api/zones', { title: 'Slipway', boundary })
  const { page } = await openMap(`${AROUND}&select=zone:${made.id}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Title').fill('Slipway, closed')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Slipway, closed' }).waitFor()
  expect((await zoneOf(page)).boundary).toEqual(boundary)
})

test('an invalid boundary is reported under the field, with its line, and nothing is created', async () => {
  const { page } = await openMap(AROUND)
  await page.getByRole('button', { name: 'Draw zone' }).click()
  const form = page.getByRole('form', { name: 'New zone' })
  await form.getByLabel('Title').fill('Sandbank')
  const corners = form.getByLabel(/^Corners/)
  const square = '54.32, 10.13\n54.32, 10.14\n54.33, 10.14\n54.33, 10.13'
  const tell = async (text: string, what: RegExp) => {
    await corners.fill(text)
    await form.getByRole('button', { name: 'Add zone' }).click()
    await form.getByText(what).waitFor()
    expect(await corners.getAttribute('aria-invalid')).toBe('true')
  }
  await tell(`${square}\nhole\n54.34, 10.15\n54.34, 10.16\n54.35, 10.16`, /^Line 6: a hole must lie inside/)
  await tell('54.32, 10.13\n54.33, 10.14\n54.33, 10.13\n54.32, 10.14', /^Line \d: the line after position \d .*cross/)
  await tell(`${square}\narea\n54.34, 10.15`, /^The ring that starts in line 5 needs at least three corners/)
  const { body } = await keeper.get('/api/zones')
  expect(body.zones.map(({ title }: { title: string }) => title)).not.toContain('Sandbank')
})
