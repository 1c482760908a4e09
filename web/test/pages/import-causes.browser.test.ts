import { afterAll, beforeAll, expect, test } from 'vitest'
import { uploadOf } from '../../../server/test/content/scans.ts'
import { type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

test('the map of a checked file names the errors of the rows that it does not draw', async () => {
  const keeper = await opened.person()
  const { body: zone } = await keeper.post('/api/zones', { title: 'Inner harbour' })
  const survey = 'title,lat,lon,tag\nA,54.3,10.1,900\nB,54.3,10.2,901\nC,91,10.1,3\nD,54.31,10.1,4\n'
  const { url: fileUrl } = await uploadOf(keeper, { name: 'marks.csv', bytes: survey })
  const file = { fileName: 'marks.csv', fileUrl, zoneId: zone.id }
  const { body: check } = await keeper.post('/api/gcp/upload?dryRun=true', file)
  const { page, complaints } = await opened.open(`/import/${check.id}?step=check`, { token: keeper.token })
  const map = page.getByRole('region', { name: 'Map', exact: true })
  await map
    .getByText(/^3 rows with errors not drawn\. Errors of the file: .*\b2\b.*Latitude out of range 1\.$/)
    .waitFor()
  expect(await map.textContent()).not.toContain('coordinates')
  expect(complaints).toEqual([])
})

test('what a file does not say is asked for by the name of its field', async () => {
  const keeper = await opened.person()
  const { body: zone } = await keeper.post('/api/zones', { title: 'Inner harbour' })
  const { url: fileUrl } = await uploadOf(keeper, { name: 'heights.csv', bytes: 'title,lat,lon,z\nA,54.3,10.1,20\n' })
  const file = { fileName: 'heights.csv', fileUrl, zoneId: zone.id }
  const { body: check } = await keeper.post('/api/gcp/upload?dryRun=true', file)
  const { page, complaints } = await opened.open(`/import/${check.id}?step=columns`, { token: keeper.token })
  await page.getByText('name it with “Vertical datum”, such as ellipsoid').waitFor()
  await page.getByRole('textbox', { name: 'Vertical datum' }).waitFor()
  expect(await page.getByText('heightDatum=').count()).toBe(0)
  expect(complaints).toEqual([])
})
