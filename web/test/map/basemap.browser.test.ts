import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { townArchive } from '../../../server/test/basemap/town.ts'
import { shareOfColour } from '../../../server/test/content/pictures.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'
import { AROUND, type Harbour, harbourOn, idle } from '../support/harbour.ts'

const MIDDLE = { lat: 54.323917, lon: 10.139402 }
let opened: OpenConsole
let harbour: Harbour
beforeAll(async () => {
  opened = await startConsole()
  harbour = await harbourOn(opened)
})
afterAll(() => opened.stop())

const TOWN = `lat=${MIDDLE.lat}&lon=${MIDDLE.lon}&radius=400&layers=`

/** The share of pixels that have the colour of a role, in a part of the map that only the basemap is drawn on. */
async function shareOf(page: Page, role: string): Promise<number> {
  const { x, y, width, height } = (await page.locator('[data-map]').boundingBox())!
  const clip = { x: x + width / 2 + 20, y: y + height / 2 - 200, width: 180, height: 370 }
  const picture = await page.screenshot({ clip })
  const colour = await page.evaluate<string>(
    `getComputedStyle(document.documentElement).getPropertyValue('--${role}').trim()`,
  )
  return shareOfColour(picture, colour)
}

test('without an archive the ground beside the harbour is the bundled map, and ops are led to the basemap', async () => {
  const { page, complaints } = await harbour.openMap(TOWN)
  await idle(page)
  for (const role of ['map-road', 'map-green']) expect(await shareOf(page, role)).toBe(0)
  await page.getByRole('link', { name: 'Choose a basemap with streets' }).click()
  await page.getByRole('region', { name: 'Basemap' }).getByText('No archive yet').waitFor()
  expect(complaints).toEqual([])
})

test('streets of an archive in the data folder are drawn from this service alone, in both themes', async () => {
  const folder = join(opened.service.folder, 'basemap')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'town.pmtiles'), townArchive(MIDDLE))
  const { keeper } = harbour
  while ((await keeper.get('/api/v1/box/basemap')).body.shown !== 'file');
  const { page, complaints } = await harbour.openMap(TOWN)
  await inAllShapes(page, 'map-streets', async () => {
    await idle(page)
    await page.getByText('An invented town').first().waitFor({ state: 'attached' })
  })
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await idle(page)
    // Streets, a river and a park.
    for (const role of ['map-road', 'map-water', 'map-green'])
      await expect.poll(() => shareOf(page, role), { timeout: 60_000 }).toBeGreaterThan(0.001)
  }
  expect(await page.getByText('The bundled map has no streets.').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('ops choose the bundled map in the console, and the next page draws it', async () => {
  const { keeper } = harbour
  const { page, complaints } = await opened.open('/health', { token: keeper.token })
  const panel = page.getByRole('region', { name: 'Basemap' })
  await panel.getByRole('radio', { name: 'The bundled map, without streets' }).check()
  await panel.getByRole('button', { name: 'Save basemap' }).click()
  await page.getByText('Saved. Reload open pages to see the map.').waitFor()
  expect((await keeper.get('/api/v1/box/basemap')).body).toMatchObject({ source: 'none', shown: 'none' })
  await page.goto(`${opened.service.url}/console/map?${AROUND}`)
  await idle(page)
  await page.getByText('Natural Earth').waitFor()
  await keeper.put('/api/v1/box/basemap', { source: null })
  expect(complaints).toEqual([])
})

test('the guide asks what maps draw, and saves the answer at once', async () => {
  const { keeper } = harbour
  await keeper.put('/api/v1/box/basemap', { source: 'none' })
  const { page, complaints } = await opened.open('/welcome/box', { token: keeper.token })
  const question = page.getByRole('region', { name: 'Streets on the map' })
  await expect.poll(() => question.getByRole('radio', { name: 'No streets' }).isChecked()).toBe(true)
  const isCheckedAtOnce = await page.evaluate(`new Promise((resolve) => {
    const radio = document.querySelector('input[value=openFreeMap]')
    radio.click()
    const isChecked = radio.checked
    requestAnimationFrame(() => resolve(isChecked && radio.checked))
  })`)
  expect(isCheckedAtOnce, 'checked before the answer').toBe(true)
  await question.getByText('Saved.').waitFor()
  expect((await keeper.get('/api/v1/box/basemap')).body).toMatchObject({
    source: 'style',
    styleUrl: 'https://tiles.openfreemap.org/styles/liberty',
  })
  await keeper.put('/api/v1/box/basemap', { source: null })
  expect(complaints).toEqual([])
})

test('an archive that is uploaded in the console is drawn, and one that cannot be drawn is refused', async () => {
  const { keeper } = harbour
  const { page, complaints } = await opened.open('/health', { token: keeper.token })
  const panel = page.getByRole('region', { name: 'Basemap' })
  await panel.getByRole('radio', { name: 'Streets from your own PMTiles archive' }).check()
  const choose = async (name: string, buffer: Buffer) => {
    const opening = page.waitForEvent('filechooser')
    await panel.getByRole('button', { name: /archive…$/ }).click()
    await (await opening).setFiles({ name, mimeType: 'application/octet-stream', buffer })
  }
  await choose('notes.pmtiles', Buffer.from('no archive'))
  await panel.getByText('is not a PMTiles archive').waitFor()
  const town = Buffer.from(townArchive({ lat: 10, lon: 20 }))
  await choose('town.pmtiles', town)
  await page.getByText('The archive is drawn by maps that you open from now on.').waitFor()
  expect((await keeper.get('/api/v1/box/basemap')).body).toMatchObject({
    shown: 'file',
    file: { state: 'ready', bytes: town.length },
  })
  expect((await keeper.get('/api/v1/user/files')).body.files, 'the uploads are gone').toEqual([])
  await keeper.put('/api/v1/box/basemap', { source: null })
  expect(complaints).toEqual([])
})
