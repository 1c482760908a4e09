import { afterAll, beforeAll, expect, test } from 'vitest'
import { openImports } from '../../../test/surveying/imports.ts'

let on: Awaited<ReturnType<typeof openImports>>
beforeAll(async () => {
  on = await openImports()
})
afterAll(() => on.close())

const santiago = 'title,lat,lon\nA,-33.4,-70.6\nB,-33.41,-70.61\n'
const exchanged = 'title,lat,lon\nC,-70.6,-33.4\nD,-70.61,-33.41\n'
const doubts = (report: { rows: { row: number; errors: { code: string }[] }[] }) =>
  report.rows.filter(({ errors }) => errors.some(({ code }) => code === 'AXES_ASSUMED')).map(({ row }) => row)

test('points far from those of the zone, and near them with latitude and longitude exchanged, have a warning', async () => {
  const { zoneId, report } = await on.imports.imported(santiago)
  expect(doubts(report)).toEqual([])
  const second = await on.imports.imported(exchanged, { zoneId })
  expect(second.record.status).toBe('COMPLETED')
  expect(doubts(second.report)).toEqual([1, 2])
  const again = await on.imports.imported('title,lat,lon\nE,-33.42,-70.62\n', {
    zoneId: (await on.imports.imported(santiago)).zoneId,
  })
  expect(doubts(again.report)).toEqual([])
})

test('a row whose coordinates are exchanged in a file of points near each other has a warning', async () => {
  const rows = Array.from({ length: 6 }, (_, i) => `P${i},52.5${i},13.4${i}`)
  const { report } = await on.imports.imported(`title,lat,lon\n${rows.join('\n')}\nX,13.43,52.53\n`)
  expect(doubts(report)).toEqual([7])
})

test('points without a place in the zone do not prevent that warning', async () => {
  const zoneId = await on.imports.zone()
  const made = await on.user.post('/api/gcp', { title: 'planned', zoneId, gcpType: 'SINGLE' })
  expect(made.status).toBe(201)
  const rows = Array.from({ length: 6 }, (_, i) => `P${i},52.5${i},13.4${i}`)
  const { report } = await on.imports.imported(`title,lat,lon\n${rows.join('\n')}\nX,13.43,52.53\n`, { zoneId })
  expect(doubts(report)).toEqual([7])
})

test('points that are nowhere near the others, in either order, have none', async () => {
  const rows = Array.from({ length: 6 }, (_, i) => `P${i},52.5${i},13.4${i}`)
  const { report } = await on.imports.imported(`title,lat,lon\n${rows.join('\n')}\nX,40.1,-3.5\n`)
  expect(doubts(report)).toEqual([])
})
