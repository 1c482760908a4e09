import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenConsole, startConsole } from '../support/console.ts'
import { copied, SHAPES, startTask } from './task.ts'

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
beforeAll(async () => {
  opened = await startConsole()
  keeper = await opened.person()
})
afterAll(() => opened.stop())

describe.each(SHAPES)('$shape', (shape) => {
  test('g: a survey file of which some rows have their coordinates exchanged is imported', async () => {
    const ring = [
      [13.3, 52.4],
      [13.5, 52.4],
      [13.5, 52.6],
      [13.3, 52.4],
    ]
    const boundary = { type: 'Polygon', coordinates: [ring] }
    const zone = (await keeper.post('/api/zones', { title: `Park ${shape.shape}`, boundary })).body
    const { page, expectClicks } = await startTask(opened, `/import?zone=${zone.id}`, keeper.token, shape)
    const text = 'title,lat,lon\nA,13.41,52.43\nB,52.44,13.42\nC,52.45,13.45\nD,52.46,13.46\nE,52.47,13.47\n'
    await page.getByText('No imports in this zone yet').waitFor()
    const chooser = page.waitForEvent('filechooser')
    await page.locator('button:enabled', { hasText: 'Choose file' }).first().click()
    await (await chooser).setFiles({ name: 'park.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.getByRole('heading', { name: 'Columns', exact: true }).waitFor({ timeout: 60_000 })
    await page.getByRole('navigation', { name: 'Steps' }).getByText('Check').click()
    await page.getByRole('button', { name: /^Swap in \d row/ }).click()
    await page.getByRole('button', { name: 'Apply 5 row' }).filter({ visible: true }).first().click()
    await page.getByText('5 rows applied.').waitFor({ timeout: 60_000 })
    await expectClicks(4, 4)
  })

  test('j: a model is uploaded, and phones open it in AR by a QR code', async () => {
    const buffer = await readFile(new URL('../../../scripts/tour/files/suzanne.glb', import.meta.url))
    const { page, go, expectClicks } = await startTask(opened, '/map', keeper.token, shape)
    await go('Files')
    const chooser = page.waitForEvent('filechooser')
    await page.locator('button:enabled', { hasText: 'Choose files' }).first().click()
    await (await chooser).setFiles({ name: `${shape.viewport.width}.glb`, mimeType: 'model/gltf-binary', buffer })
    await page
      .getByRole('link', { name: `${shape.viewport.width}.glb` })
      .first()
      .click()
    await page.getByRole('img', { name: 'QR code of the AR page' }).waitFor()
    await expectClicks(3, 4)
  })

  test('l: the code that embeds a shared map in another page is copied', async () => {
    const zone = (await keeper.post('/api/zones', { title: 'Old Harbour' })).body
    const title = `Harbour ${shape.shape}`
    const map = (await keeper.post('/api/v1/user/maps', { title, zoneIds: [zone.id] })).body
    const { page, expectClicks } = await startTask(opened, '/map', keeper.token, shape)
    await page.getByRole('link', { name: 'Share a map' }).click()
    await page.getByRole('button', { name: `Embed ${title}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: /^Copy/ }).click()
    await expect.poll(() => copied(page)).toContain(`src="${map.url}"`)
    await expectClicks(3, 3)
  })
})
