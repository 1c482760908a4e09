import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { townArchive } from '../../../server/test/basemap/town.ts'
import { MIDDLE, shareOf, TOWN } from '../support/basemap.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'
import { AROUND, type Harbour, harbourOn, idle } from '../support/harbour.ts'

let opened: OpenConsole
let harbour: Harbour
beforeAll(async () => {
  opened = await startConsole()
  harbour = await harbourOn(opened)
})
afterAll(() => opened.stop())

test('without an archive the ground beside the harbour is the bundled map, and ops are led to the basemap', async () => {
  const { page, complaints } = await harbour.openMap(TOWN, { isSharp: true })
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
  const { page, complaints } = await harbour.openMap(TOWN, { isSharp: true })
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

test('an archive that is uploaded in the console is drawn until it is deleted there, and one that cannot be drawn is refused', async () => {
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
  await panel.getByRole('button', { name: 'Delete archive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete archive' }).click()
  await panel.getByText('No archive yet').waitFor()
  expect((await keeper.get('/api/v1/box/basemap')).body).toMatchObject({ source: 'file', shown: 'none' })
  await keeper.put('/api/v1/box/basemap', { source: null })
  expect(complaints).toEqual([])
})
