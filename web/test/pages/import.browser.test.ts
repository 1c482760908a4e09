import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formOf } from '../../../server/test/multipart.ts'
import { sqlOn } from '../../../server/test/sql.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
beforeAll(async () => {
  opened = await startConsole()
  keeper = await opened.person({ name: 'keeper' })
})
afterAll(() => opened.stop())

const fileAt = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url))
const textFile = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

const squareAround = (lon: number, lat: number) => {
  const [west, south, east, north] = [lon - 0.1, lat - 0.1, lon + 0.1, lat + 0.1]
  return {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  }
}
const zoneOf = async (fields: object): Promise<number> => (await keeper.post('/api/zones', fields)).body.id
const gcpsOf = async (zone: number) => (await keeper.get(`/api/gcp?zoneId=${zone}`)).body

/** Sends a file into a zone on the page of imports, and waits until it was checked. */
async function checked(page: Page, file: Parameters<Page['setInputFiles']>[1]) {
  await page.locator('button:enabled', { hasText: 'Choose file' }).first().waitFor()
  await page.locator('input[type="file"]').setInputFiles(file)
  await page.waitForURL(/import\/[0-9a-f-]{36}\?step=columns/)
  await page.getByRole('heading', { name: 'Columns', exact: true }).waitFor({ timeout: 60_000 })
}
const step = (page: Page, name: string) => page.getByRole('navigation', { name: 'Steps' }).getByText(name).click()
const mapDrawn = (page: Page) => page.locator('[data-map="idle"]').waitFor({ timeout: 60_000 })
const apply = (page: Page, rows: number) =>
  page
    .getByRole('button', { name: `Apply ${rows} row` })
    .filter({ visible: true })
    .first()
    .click()

test('a file is checked, its columns and places shown, and applied: its good rows are control points of a zone made in place', async () => {
  const { page, complaints } = await opened.open('/import', { token: keeper.token })
  await page.getByRole('button', { name: 'New zone' }).click()
  await page.getByLabel('Name of the new zone').fill('Greenwich Park')
  await page.getByRole('button', { name: 'Create zone' }).click()
  await page.getByText('No imports in this zone yet').waitFor()
  const zone = Number(new URL(page.url()).searchParams.get('zone'))
  const buffer = await fileAt('scripts/tour/files/park.csv')
  await checked(page, { name: 'park.csv', mimeType: 'text/csv', buffer })
  await expect.poll(() => page.getByLabel('Field of Longitude').inputValue()).toBe('longitude')
  await page.getByText('semicolon').waitFor()
  await inAllShapes(page, 'import-columns', () => page.getByText('semicolon').waitFor())
  await step(page, 'Check')
  await inAllShapes(page, 'import-check-good', () => mapDrawn(page))
  expect(await gcpsOf(zone), 'nothing is written before').toEqual([])
  await step(page, 'Apply')
  await inAllShapes(page, 'import-apply', () => page.getByText('become control points').waitFor())
  // One of its eleven rows has a latitude of 91.
  await apply(page, 10)
  await page.getByText('10 rows applied.').waitFor({ timeout: 60_000 })
  const found = await gcpsOf(zone)
  expect(found).toHaveLength(10)
  expect(found[0]).toMatchObject({ title: 'GATE-1', pin: { latitude: 51.4788241, longitude: -0.0021877 } })
  await inAllShapes(page, 'import-done', () => mapDrawn(page))
  await page.getByRole('link', { name: 'Greenwich Park' }).click()
  await inAllShapes(page, 'imports', () => page.getByRole('link', { name: 'park.csv' }).first().waitFor())
  expect(complaints).toEqual([])
}, 300_000)

test('each error in a file is shown by row, cell and cause with its correction; the corrected file is imported completely', async () => {
  const zone = await zoneOf({ title: 'Mitte', boundary: squareAround(13.4, 52.5) })
  const good = Array.from({ length: 20 }, (_, i) => `P${i},${52.45 + (i % 5) * 0.02},${13.35 + i * 0.005},${30 + i},`)
  const text = (lines: string[]) => textFile('marks.csv', `title,lat,lon,h,tag\n${[...good, ...lines].join('\n')}\n`)
  const { page, complaints } = await opened.open(`/import?zone=${zone}`, { token: keeper.token })
  await checked(
    page,
    text(['A,91,13.4,34,', 'B,52.52,n/a,34,', 'C,52.52,13.42,34,7', 'D,52.5201,13.42,34,7', 'E,50,3,34,']),
  )
  await step(page, 'Check')
  const bad = page.getByRole('region', { name: 'Errors and warnings' }).first()
  await bad.getByRole('button', { name: 'Latitude out of range 1' }).waitFor()
  await bad.getByText('Latitude 91 is outside').waitFor()
  expect(await bad.textContent()).toMatch(/91[\s\S]*Latitude 91 is outside -90..90/)
  expect(await bad.textContent()).toMatch(/n\/a/)
  expect(await bad.textContent()).toMatch(/AprilTag 7 is already carried by row 23 "C" nearby: write a tag/)
  await page.getByText('1 point is far outside the zone').waitFor()
  await inAllShapes(page, 'import-check-bad', () => mapDrawn(page))
  await bad.getByRole('button', { name: 'Tag already used 1' }).click()
  await bad.getByText('latitude 91').waitFor({ state: 'detached' })
  expect(page.url()).toContain('cause=APRIL_TAG_CONFLICT')
  const address = await page.getByRole('link', { name: 'as CSV' }).first().getAttribute('href')
  expect(await (await fetch(opened.service.url + address)).text()).toMatch(/22,23,B,failed,NOT_A_NUMBER,lon,n\/a/)

  await page.goto(`${opened.service.url}/console/import?zone=${zone}`)
  await checked(page, text(['A,52.51,13.4,34,', 'B,52.52,13.41,34,', 'C,52.52,13.42,34,7', 'D,52.5201,13.42,34,8']))
  await step(page, 'Check')
  await page.getByText('All rows are valid').waitFor()
  await apply(page, 24)
  await page.getByText('24 rows applied.').waitFor({ timeout: 60_000 })
  expect(await gcpsOf(zone)).toHaveLength(24)
  expect(complaints).toEqual([])
}, 300_000)

test('for a file with many wrong rows the causes are counted, and the rows are shown page by page', async () => {
  const zone = await zoneOf({ title: 'Many' })
  const lines = Array.from({ length: 180 }, (_, i) => `P${i},${i % 3 ? 291 : 'x'},13.4`)
  const { page, complaints } = await opened.open(`/import?zone=${zone}`, { token: keeper.token })
  await checked(page, textFile('many.csv', `title,lat,lon\n${lines.join('\n')}\n`))
  await step(page, 'Check')
  const bad = page.getByRole('region', { name: 'Errors and warnings' }).first()
  await bad.getByText('Errors 180').waitFor()
  await bad.getByRole('button', { name: 'Not a number 60' }).waitFor()
  const shown = () => bad.locator('tbody').count()
  await bad.getByText('50 of 180').waitFor()
  expect(await shown()).toBe(50)
  await inAllShapes(page, 'import-check-many', () => bad.getByText('50 of 180').waitFor())
  await bad.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(shown).toBe(100)
  await bad.getByRole('button', { name: 'Not a number 60' }).click()
  await bad.getByText('50 of 60').waitFor()
  await bad.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(shown).toBe(60)
  await page.getByRole('link', { name: '180 findings as CSV' }).first().waitFor()
  expect(complaints).toEqual([])
}, 300_000)

test('swapped axes are reported with a button that corrects them, and the points move to their places', async () => {
  const zone = await zoneOf({ title: 'Swapped' })
  const { page, complaints } = await opened.open(`/import?zone=${zone}`, { token: keeper.token })
  const buffer = await fileAt('server/test/fixtures/gcp/layouts/refused_swapped_header.csv')
  await checked(page, { name: 'swapped.csv', mimeType: 'text/csv', buffer })
  const swap = page.getByRole('button', { name: 'Swap Easting and Northing' })
  await inAllShapes(page, 'import-swapped', () => swap.waitFor())
  await swap.click()
  await swap.waitFor({ state: 'detached' })
  await page.getByText('set here').waitFor({ timeout: 60_000 })
  await apply(page, 3)
  await page.getByText('3 rows applied.').waitFor({ timeout: 60_000 })
  const [first] = await gcpsOf(zone)
  expect(first.pin.latitude).toBeCloseTo(52.52, 1)
  expect(complaints).toEqual([])
}, 300_000)

test('rows with swapped coordinates are swapped with one button, and listed as warnings', async () => {
  const zone = await zoneOf({ title: 'Some swapped', boundary: squareAround(13.4, 52.5) })
  const { page, complaints } = await opened.open(`/import?zone=${zone}`, { token: keeper.token })
  await checked(page, textFile('some.csv', 'title,lat,lon\nA,13.41,52.51\nB,52.52,13.42\nC,13.43,52.53\n'))
  await step(page, 'Check')
  const swap = page.getByRole('button', { name: 'Swap in 2 rows' })
  await inAllShapes(page, 'import-swapped-rows', () => swap.waitFor())
  await swap.click()
  await page.getByText('Warnings 2').waitFor({ timeout: 60_000 })
  await inAllShapes(page, 'import-swapped-rows-done', () => page.getByText('Warnings 2').waitFor())
  expect(await swap.count()).toBe(0)
  await apply(page, 3)
  await page.getByText('3 rows applied.').waitFor({ timeout: 60_000 })
  const [first] = await gcpsOf(zone)
  expect(first.pin).toMatchObject({ latitude: 52.51, longitude: 13.41 })
  expect(complaints).toEqual([])
}, 300_000)

test('the swapped columns of a photo list, which has no header to correct, are swapped with one button', async () => {
  const zone = await zoneOf({ title: 'List' })
  const { page } = await opened.open(`/import?zone=${zone}`, { token: keeper.token })
  await checked(
    page,
    textFile('gcp_list.txt', 'WGS84 longlat\n34.5 -119.25 0 10 20 a.jpg M1\n34.6 -119.26 0 10 20 b.jpg M2\n'),
  )
  await page.getByRole('button', { name: 'Swap in 2 rows' }).click()
  await page
    .getByLabel('Swap coordinates that are only valid')
    .and(page.locator(':checked'))
    .waitFor({ timeout: 60_000 })
  await apply(page, 2)
  await page.getByText('2 rows applied.').waitFor({ timeout: 60_000 })
  expect((await gcpsOf(zone))[0].pin).toMatchObject({ latitude: 34.5, longitude: -119.25 })
})

test('an unreadable file is reported with its cause, and imported after naming its columns and reference system', async () => {
  const zone = await zoneOf({ title: 'Bare' })
  const { page, complaints } = await opened.open(`/import?zone=${zone}`, { token: keeper.token })
  await checked(page, textFile('bare.csv', 'A,2692000.5,1152000.2,420\nB,2692010.5,1152010.2,421\n'))
  await page.getByText('Check failed', { exact: true }).waitFor()
  await inAllShapes(page, 'import-refused', () => page.getByText('2692000.5').first().waitFor())
  await page.getByLabel('Coordinate system').fill('EPSG:99999')
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.locator('[aria-invalid="true"]').waitFor()
  for (const [index, role] of ['title', 'easting', 'northing', 'altitude'].entries())
    await page.getByRole('combobox').nth(index).selectOption(role)
  await page.getByLabel('Coordinate system').fill('EPSG:2056')
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('set here').waitFor({ timeout: 60_000 })
  await apply(page, 2)
  await page.getByText('2 rows applied.').waitFor({ timeout: 60_000 })
  expect((await gcpsOf(zone))[0].pin.latitude).toBeCloseTo(46.5, 0)

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByLabel('Also delete the control points').check()
  await page.getByRole('button', { name: 'Delete import' }).click()
  await page.waitForURL(/import\?zone=/)
  await expect.poll(() => gcpsOf(zone)).toEqual([])
  expect(complaints).toEqual([])
}, 300_000)

test('a coordinate system that the service proposes is a button, and the file is checked with it', async () => {
  const ring = [
    [-0.01, 51.47],
    [0.01, 51.47],
    [0.01, 51.49],
    [-0.01, 51.49],
    [-0.01, 51.47],
  ]
  const zone = await zoneOf({ title: 'Observatory', boundary: { type: 'Polygon', coordinates: [ring] } })
  const { page, complaints } = await opened.open(`/import?zone=${zone}`, { token: keeper.token })
  await checked(page, textFile('grid.csv', 'title;easting;northing\nA;708300;5707100\nB;708310;5707110\n'))
  await page
    .getByText(/choose EPSG:\d+ as the coordinate system/)
    .first()
    .waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: /^Use EPSG:\d+$/ }).click()
  await page
    .getByRole('button', { name: 'Apply 2 rows' })
    .filter({ visible: true })
    .first()
    .waitFor({ timeout: 60_000 })
  expect(complaints).toEqual([])
})

test('a check of which no row can be applied says so, instead of that it went well', async () => {
  const zone = await zoneOf({ title: 'Nowhere' })
  const { page, complaints } = await opened.open(`/import?zone=${zone}`, { token: keeper.token })
  await checked(page, textFile('bad.csv', 'title,lat,lon\nA,91,0\nB,92,0\n'))
  await page.getByText('No row can be applied').waitFor({ timeout: 60_000 })
  expect(await page.getByText('Checked', { exact: true }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a check that stopped says why, and not that its rows are good', async () => {
  const zone = await zoneOf({ title: 'Stopped' })
  const { page } = await opened.open(`/import?zone=${zone}`, { token: keeper.token })
  await checked(page, textFile('marks.csv', 'title,lat,lon\nA,1.5,2.5\n'))
  await sqlOn(opened.service)(`update csv_uploads set status = 'FAILED', error_message = $1 where zone_id = $2`, [
    'The import stopped on an internal error',
    zone,
  ])
  await page.reload()
  await step(page, 'Check')
  await page.getByText('The import stopped on an internal error').waitFor()
  expect(await page.getByText('All rows are valid').count()).toBe(0)
})

test('another user sees the result of an import, without actions they may not take', async () => {
  const zone = await zoneOf({ title: 'Theirs' })
  const bytes = Buffer.from('title,lat,lon\nA,1.5,2.5\n')
  const { body } = await keeper.post('/api/upload', formOf({ name: 'a.csv', bytes }))
  const fileUrl = body.results[0].url
  const sent = await keeper.post('/api/gcp/upload?dryRun=true', { fileName: 'a.csv', fileUrl, zoneId: zone })
  const guest = await opened.person({ name: 'guest', roles: [] })
  const { page, complaints } = await opened.open(`/import/${sent.body.id}?step=check`, { token: guest.token })
  await page.getByText('Only the uploader').waitFor({ timeout: 60_000 })
  expect(await page.getByRole('button', { name: /^Apply/ }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('the control points of a zone are downloaded in a format and a reference system, and an impossible choice is reported under its field', async () => {
  const zone = await zoneOf({ title: 'Polder' })
  const geoPose = { position: { lat: 52.1, lon: 5.2, h: 43 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
  await keeper.post('/api/gcp', { title: 'P1', gcpType: 'SINGLE', zoneId: zone, geoPose })
  const { page, complaints } = await opened.open(`/import?zone=${zone}`, { token: keeper.token })
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByLabel('Coordinate system').fill('EPSG:2193')
  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByText('1 of 1 points lie outside the area of EPSG:2193').waitFor({ timeout: 60_000 })
  await page.getByLabel('Coordinate system').fill('EPSG:28992')
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const download = await waiting
  expect(download.suggestedFilename()).toBe('Polder.csv')
  expect(await readFile(await download.path(), 'utf8')).toContain('easting (EPSG:28992)')
  expect(complaints.filter((said) => !said.includes('400'))).toEqual([])
})
