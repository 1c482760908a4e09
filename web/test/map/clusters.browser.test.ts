import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareOfColour } from '../../../server/test/content/pictures.ts'
import { sqlOn } from '../../../server/test/sql.ts'
import { type OpenConsole, startConsole } from '../support/console.ts'
import { type Harbour, harbourOn, idle } from '../support/harbour.ts'

/** Far from the harbour. */
const MIDDLE = { lat: -12.5, lon: 41.25 }
/** Within the radius of 2 km, 1.2 km east of the middle. */
const EAST = { lat: MIDDLE.lat, lon: MIDDLE.lon + 1.2 / (111.32 * Math.cos((MIDDLE.lat * Math.PI) / 180)) }
const AROUND = `lat=${MIDDLE.lat}&lon=${MIDDLE.lon}&radius=2000`

let opened: OpenConsole
let harbour: Harbour
beforeAll(async () => {
  opened = await startConsole()
  harbour = await harbourOn(opened)
})
afterAll(() => opened.stop())

/** Where EAST is on the page, by the circle around the middle. */
async function eastOn(page: Page) {
  const map = (await page.locator('[data-map]').boundingBox())!
  const edge = (await page.getByRole('button', { name: 'Change the radius' }).boundingBox())!
  const x = map.x + map.width / 2
  return { x: x + (edge.x + edge.width / 2 - x) * 0.6, y: edge.y + edge.height / 2 }
}

/** The share of a square around a point that has the colour of a role. */
async function shareAt(page: Page, { x, y }: { x: number; y: number }, role: string, side = 48): Promise<number> {
  const picture = await page.screenshot({ clip: { x: x - side / 2, y: y - side / 2, width: side, height: side } })
  const colour = await page.evaluate<string>(
    `getComputedStyle(document.documentElement).getPropertyValue('--${role}').trim()`,
  )
  return await shareOfColour(picture, colour)
}

const scaleOf = (page: Page) => page.locator('.maplibregl-ctrl-scale').textContent()

test('pins and control points close to each other are one cluster with a ring of both, which a press opens', async () => {
  await harbour.pin('Buoy', EAST)
  await harbour.gcp('Buoy stone', { lat: EAST.lat, lon: EAST.lon + 0.0006 }, 12)
  const { page, complaints } = await harbour.openMap(AROUND, { isSharp: true })
  await idle(page)
  const at = await eastOn(page)
  expect(await shareAt(page, at, 'accent')).toBeGreaterThan(0.02)
  expect(await shareAt(page, at, 'map-tag')).toBeGreaterThan(0.02)

  const before = await scaleOf(page)
  await page.mouse.click(at.x, at.y)
  await expect.poll(() => scaleOf(page)).not.toBe(before)
  expect(page.url()).not.toContain('select')
  expect(complaints).toEqual([])
})

test('pins from tiles are in one cluster with control points, and pins of those count once', async () => {
  const sql = sqlOn(opened.service)
  await sql(
    `insert into pins (title, content_type, latitude, longitude)
     select 'Pin ' || n, 'TEXT', ${EAST.lat}, ${EAST.lon} + n * 1e-9 from generate_series(1, 5100) n`,
  )
  await opened.service.app.pinIndex.caughtUp()
  const { page, complaints } = await harbour.openMap(AROUND, { isSharp: true })
  await page.getByRole('button', { name: `Pins ${(5000).toLocaleString()}+` }).waitFor()
  await idle(page)
  const at = await eastOn(page)
  await expect.poll(() => shareAt(page, at, 'accent')).toBeGreaterThan(0.02)
  await expect.poll(() => shareAt(page, at, 'map-tag')).toBeGreaterThan(0.005)
  // Without pins, the control point is alone.
  await page.locator('[data-layer="pins"]').click()
  await expect.poll(() => shareAt(page, at, 'accent')).toBeLessThan(0.01)
  await idle(page)
  await page.mouse.click(at.x + 9, at.y)
  await page.getByRole('region', { name: 'Selection' }).getByRole('heading', { name: 'Buoy stone' }).waitFor()
  expect(complaints).toEqual([])
})

test('a zone has a ground of its own colour and its name in its middle', async () => {
  const [west, south, east, north] = [102, 15, 102.02, 15.02]
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  await harbour.keeper.post('/api/zones', {
    title: 'Salt marsh',
    boundary: { type: 'Polygon', coordinates: [ring] },
  })
  const look = async (layers: string) => {
    const { page } = await harbour.openMap(`lat=15.01&lon=102.008&radius=500&layers=${layers}`, {
      isSharp: true,
    })
    await idle(page)
    const map = (await page.locator('[data-map]').boundingBox())!
    const edge = (await page.getByRole('button', { name: 'Change the radius' }).boundingBox())!
    const [x, y] = [map.x + map.width / 2, edge.y + edge.height / 2]
    const land = await shareAt(page, { x, y: y - 60 }, 'map-land', 40)
    // The middle of the zone is 215 m east of the point.
    await page.mouse.click(x + (edge.x + edge.width / 2 - x) * 0.43, y)
    return { page, land }
  }
  const [without, drawn] = [await look(''), await look('zones')]
  expect(without.land).toBeGreaterThan(0.8)
  expect(drawn.land).toBe(0)
  await drawn.page.getByRole('region', { name: 'Selection' }).getByRole('heading', { name: 'Salt marsh' }).waitFor()
  expect(without.page.url()).not.toContain('select')
})
