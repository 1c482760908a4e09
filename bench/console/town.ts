import type { Page } from 'playwright-core'
import type { Caller, Service } from '../../server/test/service.ts'
import { sqlOn } from '../../server/test/sql.ts'
import { type Interaction, interactionsIn } from './interactions.ts'

const TOWN = { lat: 54.3239, lon: 10.1394 }
const PINS = 3000
const GCPS = 340
const ZONES = 6
const AT_ONCE = 8
/** Between two keys of a fast typist. */
const KEYS_MS = 60
const DRAG_STEPS = 30

/** Some metres north and east of the middle of the town. */
const off = (north: number, east: number) => ({
  lat: TOWN.lat + north / 111_320,
  lon: TOWN.lon + east / (111_320 * Math.cos((TOWN.lat * Math.PI) / 180)),
})

/** A town of 3,000 pins, 340 control points and 6 zones. */
export async function placeTown(service: Service, owner: Caller, ownerId: string): Promise<void> {
  await sqlOn(service)(
    `insert into pins (title, content_type, latitude, longitude, user_id)
     select 'Place ' || i, (array['TEXT', 'AUDIO', 'IMAGE', 'URL'])[1 + i % 4], $1 + (random() - 0.5) * 0.018, $2 + (random() - 0.5) * 0.03, $3
       from generate_series(1, ${PINS}) as i`,
    [TOWN.lat, TOWN.lon, ownerId],
  )
  const gcps = Array.from({ length: GCPS }, (_, i) => {
    const position = { ...off(((i * 37) % 200) * 9 - 900, ((i * 53) % 200) * 9 - 900), h: 20 }
    return { title: `P${i}`, gcpType: 'SINGLE', geoPose: { position, angles: { yaw: 0, pitch: 0, roll: 0 } } }
  })
  const zones = Array.from({ length: ZONES }, (_, i) => {
    const ring = [off(0, 300 * i - 900), off(250, 300 * i - 900), off(250, 300 * i - 650), off(0, 300 * i - 900)]
    const boundary = { type: 'Polygon', coordinates: [ring.map(({ lat, lon }) => [lon, lat])] }
    return { title: `Quarter ${i}`, boundary }
  })
  for (const [path, all] of [['/api/gcp', gcps] as const, ['/api/zones', zones] as const])
    for (let at = 0; at < all.length; at += AT_ONCE)
      for (const { status, body } of await Promise.all(
        all.slice(at, at + AT_ONCE).map((record) => owner.post(path, record)),
      ))
        if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
  await service.app.pinIndex.caughtUp()
}

/** Works with the map of the town and its table of points, and measures how long each step keeps a person waiting. */
export async function workOnMap(page: Page, service: Service): Promise<Interaction[]> {
  await page.goto(`${service.url}/console/map?lat=${TOWN.lat}&lon=${TOWN.lon}&radius=1200`)
  const panel = page.getByRole('region', { name: 'Points', exact: true })
  const rows = panel.locator('tbody tr')
  const idle = () => page.locator('[data-map="idle"]').waitFor({ timeout: 120_000 })
  await idle()
  const button = (name: string) => panel.getByRole('button', { name, exact: true }).click()
  return interactionsIn(page, {
    'open the table': async () => {
      await page.getByRole('button', { name: 'Show points as a table' }).click()
      await rows.nth(40).waitFor({ timeout: 120_000 })
      await idle()
    },
    'sort by title': () => button('Title'),
    'sort by distance': () => button('Distance'),
    'type into the search': () => panel.getByRole('textbox').pressSequentially('place 12', { delay: KEYS_MS }),
    'empty the search': async () => {
      for (let i = 0; i < 8; i++) await page.keyboard.press('Backspace')
      await rows.nth(40).waitFor()
    },
    'next page': () => button('Next page'),
    'select the page': () => panel.getByRole('checkbox', { name: 'Select this page' }).click(),
    'select all': () => panel.getByRole('button', { name: /^Select all/ }).click(),
    'clear the selection': () => button('Clear selection'),
    'open a point': async () => {
      await rows.nth(3).locator('[data-row]').click()
      await page.getByRole('region', { name: 'Selection' }).waitFor()
      await idle()
    },
    'turn pins off': async () => {
      await page.locator('[data-layer="pins"]').click()
      await idle()
    },
    'turn pins on': async () => {
      await page.locator('[data-layer="pins"]').click()
      await idle()
    },
    'type a radius': async () => {
      const field = page.getByLabel('Radius in metres')
      await field.focus()
      await page.keyboard.press('Control+A')
      await page.keyboard.type('900', { delay: KEYS_MS })
      await page.keyboard.press('Enter')
      await page.waitForURL(/radius=900(&|$)/)
      await idle()
    },
    'drag the radius': async () => {
      const { x, y, width, height } = (await page.getByRole('button', { name: 'Change the radius' }).boundingBox())!
      const [left, top] = [x + width / 2, y + height / 2]
      await page.mouse.move(left, top)
      await page.mouse.down()
      for (let step = 1; step <= DRAG_STEPS; step++) await page.mouse.move(left - 2 * step, top)
      await page.mouse.up()
      await page.waitForURL((url) => url.searchParams.get('radius') !== '900')
      await idle()
    },
    'change the radius': async () => {
      const slider = page.getByRole('slider').first()
      await slider.focus()
      for (let i = 0; i < 5; i++) {
        await page.keyboard.press('ArrowLeft')
        await page.waitForTimeout(KEYS_MS)
      }
      await idle()
    },
  })
}
