import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlOn } from '../../../server/test/sql.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'
import { AROUND, type Harbour, harbourOn, idle, off } from '../support/harbour.ts'

let opened: OpenConsole
let harbour: Harbour
beforeAll(async () => {
  opened = await startConsole()
  harbour = await harbourOn(opened)
  await harbour.pin('Hidden cache', off(20, 20), { visibility: 'private' })
  await harbour.pin('Gull nest', off(-30, 90), { contentType: 'GLB' })
})
afterAll(() => opened.stop())

const panel = (page: Page) => page.getByRole('region', { name: 'Points', exact: true })
const titles = (page: Page) => panel(page).locator('tbody [data-row]')
const box = (page: Page, title: string) => panel(page).getByRole('checkbox', { name: `Select ${title}`, exact: true })
const bar = (page: Page) => panel(page).getByRole('toolbar')

test('the table has the pins and control points within the radius, also private ones of the user, nearest first', async () => {
  const { page, complaints } = await harbour.openMap(AROUND)
  await page.getByRole('button', { name: 'Show points as a table' }).click()
  await page.waitForURL(/table=true/)
  await titles(page).nth(8).waitFor()
  const { pins } = (await harbour.keeper.get(`/api/location/pins?${AROUND}`)).body
  expect(await titles(page).allTextContents()).toEqual(pins.map(({ title }: { title: string }) => title))
  const row = panel(page).locator('tbody tr')
  expect(await row.filter({ hasText: 'Mill bridge W' }).locator('td').allTextContents()).toEqual(
    expect.arrayContaining(['Control point', '4', 'You', '2.00 m']),
  )
  expect(await row.filter({ hasText: 'Hidden cache' }).textContent()).toContain('Private')
  await idle(page)
  await inAllShapes(page, 'map-table', async () => {
    await titles(page).nth(8).waitFor()
    await idle(page)
  })
  expect(complaints).toEqual([])
})

test('the address holds search, kind, owner and order; the layers of the map decide too', async () => {
  const { page, complaints } = await harbour.openMap(`${AROUND}&table=true&sort=-title`)
  await titles(page).nth(8).waitFor()
  expect(await titles(page).first().textContent()).toBe('Tide gauge')
  await panel(page).getByRole('button', { name: 'Title' }).click()
  await expect.poll(() => titles(page).first().textContent()).toBe('Bell rope')
  await panel(page).getByRole('textbox', { name: 'Find by title, zone or tag' }).fill('window')
  await expect.poll(() => titles(page).allTextContents()).toEqual(['Chart room window'])
  await page.reload()
  await expect.poll(() => titles(page).allTextContents()).toEqual(['Chart room window'])
  await panel(page).getByText('1 of 9').waitFor()

  await panel(page).getByRole('textbox', { name: 'Find by title, zone or tag' }).fill('no such')
  await panel(page).getByRole('button', { name: 'Clear' }).click()
  await titles(page).nth(8).waitFor()
  await panel(page).getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Model (GLB)' }).click()
  await expect.poll(() => titles(page).allTextContents()).toEqual(['Gull nest'])
  await page.goto(page.url().replace('kind=GLB', 'kind=gcp'))
  await expect.poll(() => titles(page).allTextContents()).toEqual(['Mill bridge W', 'Ropewalk arch'])
  await page.locator('[data-layer="gcps"]').click()
  await panel(page).getByText('None of the points match the filters.').waitFor()
  expect(complaints).toEqual([])
})

test('the accuracy that a survey stated is a column, by which the table is sorted; points without one come last', async () => {
  const sql = sqlOn(opened.service)
  const stated = (title: string, metres: number) =>
    sql(`update gcps set survey = '{"accuracyH": ${metres}}' where title = '${title}'`)
  await stated('Ropewalk arch', 0.014)
  await stated('Mill bridge W', 0.25)
  const { page } = await harbour.openMap(`${AROUND}&table=true`)
  await titles(page).nth(8).waitFor()
  await panel(page).getByRole('button', { name: 'Accuracy' }).click()
  await page.waitForURL(/sort=accuracy/)
  await expect.poll(() => titles(page).nth(1).textContent()).toBe('Mill bridge W')
  expect(await titles(page).first().textContent()).toBe('Ropewalk arch')
  const cells = (title: string) => panel(page).locator('tbody tr').filter({ hasText: title }).locator('td')
  expect((await cells('Ropewalk arch').allTextContents()).at(-3)).toBe('0.014 m')
  expect((await cells('Bell rope').allTextContents()).at(-3)).toBe('–')
  await panel(page).getByRole('button', { name: 'Accuracy' }).click()
  await expect.poll(() => titles(page).first().textContent()).toBe('Mill bridge W')
  expect(await titles(page).nth(1).textContent()).toBe('Ropewalk arch')
})

test('the table names the owner of each point, and the filter Mine hides those of other users', async () => {
  const other = await opened.person({ name: 'visitor', roles: [] })
  const { page } = await opened.open(`/map?${AROUND}&table=true`, { token: other.token })
  await titles(page).nth(7).waitFor()
  expect(await titles(page).allTextContents()).not.toContain('Hidden cache')
  await panel(page).getByText('Another user').first().waitFor()
  await panel(page).getByRole('button', { name: 'Mine' }).click()
  await panel(page).getByText('None of the points match the filters.').waitFor()
  expect(page.url()).toContain('owner=me')
})

test('a row opens its point beside the map, and the arrow keys and Shift select without a pointer', async () => {
  const { page, complaints } = await harbour.openMap(`${AROUND}&table=true&sort=title`)
  await titles(page).filter({ hasText: 'Bell rope' }).click()
  await page.getByRole('region', { name: 'Selection' }).getByRole('heading', { name: 'Bell rope' }).waitFor()
  await box(page, 'Bell rope').focus()
  await page.keyboard.press('Space')
  await bar(page).getByText('1 selected').waitFor()
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+Space')
  await bar(page).getByText('4 selected').waitFor()
  await page.keyboard.press('Home')
  await page.keyboard.press('Space')
  await bar(page).getByText('3 selected').waitFor()
  expect(await box(page, 'Bell rope').isChecked()).toBe(false)
  await bar(page).getByRole('button', { name: 'Clear selection' }).click()
  await bar(page).waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('on a phone, a row that is opened scrolls to its point, and closing it leads back to the row', async () => {
  const { page, complaints } = await opened.open(`/map?${AROUND}&table=true&sort=title`, {
    token: harbour.keeper.token,
    viewport: { width: 375, height: 812 },
  })
  await titles(page).filter({ hasText: 'Tide gauge' }).click()
  const chosen = page.getByRole('region', { name: 'Selection' })
  const heading = chosen.getByRole('heading', { name: 'Tide gauge' })
  await heading.waitFor()
  await expect.poll(async () => (await heading.boundingBox())!.y).toBeGreaterThan(0)
  expect((await heading.boundingBox())!.y).toBeLessThan(400)
  await chosen.getByRole('button', { name: 'Close' }).click()
  await chosen.waitFor({ state: 'detached' })
  const focused = () => page.evaluate<string>('document.activeElement.closest("tr")?.textContent ?? ""')
  await expect.poll(focused).toContain('Tide gauge')
  expect(complaints).toEqual([])
})

test('12,000 points are searched, sorted and selected across their pages, and exported', async () => {
  await sqlOn(opened.service)(
    `insert into pins (title, content_type, latitude, longitude)
     select 'Buoy ' || n, 'TEXT', -33.835 + (n % 110) * 0.00007, 151.165 + (n / 110) * 0.00007 from generate_series(1, 12000) n
     union all select '=1+1', 'TEXT', -33.83, 151.17`,
  )
  await opened.service.app.pinIndex.caughtUp()
  const { page, complaints } = await harbour.openMap('lat=-33.83&lon=151.17&radius=5000&table=true&sort=title')
  await panel(page).getByText('1–50 of 12,001').waitFor()
  expect((await titles(page).allTextContents()).slice(0, 3)).toEqual(['=1+1', 'Buoy 1', 'Buoy 2'])
  await box(page, 'Buoy 40').click()
  await panel(page).getByRole('button', { name: 'Next page' }).click()
  await panel(page).getByText('51–100 of 12,001').waitFor()
  await page.waitForURL(/page=2/)
  await box(page, 'Buoy 60').click({ modifiers: ['Shift'] })
  await bar(page).getByText('21 selected').waitFor()
  await panel(page).getByRole('textbox', { name: 'Find by title, zone or tag' }).fill('1+1')
  await expect.poll(() => titles(page).count()).toBe(1)
  await panel(page).getByRole('textbox', { name: 'Find by title, zone or tag' }).fill('')
  await bar(page).getByRole('button', { name: 'Select all 12,001' }).click()
  await bar(page).getByText('12,001 selected').waitFor()

  const saved = async (format: string) => {
    await bar(page).getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: format, exact: true }).click(),
    ])
    return await readFile(await download.path(), 'utf8')
  }
  const lines = (await saved('CSV')).trim().split('\r\n')
  expect(lines.length).toBe(12_002)
  expect(lines[1]).toMatch(/^pin,\d+,'=1\+1,TEXT,,,,,public,-33.83,151.17,,/)
  const { features } = JSON.parse(await saved('GeoJSON'))
  expect(features.length).toBe(12_001)
  expect(features[0]).toMatchObject({ geometry: { coordinates: [151.17, -33.83] }, properties: { title: '=1+1' } })
  expect(complaints).toEqual([])
})
