import { expect, test } from 'vitest'
import { type Cell, odsText, spreadsheetOf, workbookOf } from '../../../../../test/content/archives.ts'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const header = ['Name', 'Lat', 'Lon']
const read = async (row: Cell[]) => surveyOf(await workbookOf({ S: [header, row] }), {}, 64 * 1024)

test.each(['[h]:mm:ss', '[hh]:mm'])(
  'a time of 24 hours or more beside plain degrees fails its row: %s',
  async (code) => {
    const { points, faulty } = await read(['A', 48.85, { v: '2.35', code }])
    expect(points).toEqual([])
    expect(faulty[0]!.faults).toMatchObject([{ code: 'NOT_A_NUMBER', value: '56:24:00' }])
    expect(faulty[0]!.faults[0]!.message).toContain('can be 2.35 degrees')
  },
)

test('a shorter time beside plain degrees is read as it is shown, with a warning', async () => {
  const { points, warnings } = await read(['A', 48.85, { v: '0.35', code: '[h]:mm:ss' }])
  expect(points).toMatchObject([{ latitude: 48.85, longitude: expect.closeTo(8.4, 9) }])
  expect(warnings).toMatchObject([{ row: 1, code: 'ANGLES_ASSUMED' }])
})

test.each(['h:mm', 'hh:mm:ss'])(
  'days in a cell that shows a time of day are degrees, with a warning: %s',
  async (code) => {
    const { points, warnings } = await read(['A', 48.85, { v: '2.35', code }])
    expect(points).toMatchObject([{ latitude: 48.85, longitude: 2.35 }])
    expect(warnings).toMatchObject([{ row: 1, code: 'ANGLES_ASSUMED' }])
  },
)

test('days in a cell that shows a time of day fail beside another time', async () => {
  const { points, faulty } = await read(['A', { v: '2.188333', code: 'h:mm:ss' }, { v: '0.558', code: 'h:mm:ss' }])
  expect(points).toEqual([])
  expect(faulty[0]!.faults).toMatchObject([{ code: 'NOT_A_NUMBER', column: 'Lat' }])
})

test('two times, and a time beside an angle in a text, are read without a warning', async () => {
  const time = { v: '0.558', code: '[h]:mm:ss' }
  for (const latitude of [{ v: '2.188', code: '[h]:mm:ss' }, '52:30:43.2']) {
    const { points, warnings } = await read(['A', latitude, time])
    expect(points).toMatchObject([{ latitude: expect.closeTo(52.512, 9), longitude: expect.closeTo(13.392, 9) }])
    expect(warnings).toEqual([])
  }
})

test('a time of OpenDocument beside plain degrees fails its row', async () => {
  const time =
    '<table:table-cell office:value-type="time" office:time-value="PT56H24M00S"><text:p>56:24</text:p></table:table-cell>'
  const { faulty } = await surveyOf(
    await spreadsheetOf('S', [header.map(odsText).join(''), `${odsText('A')}${odsText('48.85')}${time}`]),
  )
  expect(faulty[0]!.faults).toMatchObject([{ code: 'NOT_A_NUMBER', column: 'Lon' }])
})
