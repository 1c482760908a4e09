import { expect, test } from 'vitest'
import { type Cell, odsText, spreadsheetOf, workbookOf } from '../../../../../test/content/archives.ts'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const days = (hours: number, minutes: number, seconds: number) =>
  String((hours * 3600 + minutes * 60 + seconds) / 86_400)
const read = async (rows: Cell[][]) =>
  surveyOf(await workbookOf({ Notes: [['no points']], 'A & B': rows }), { layer: 'A & B' })

test('angles that Excel stores as times are read as they are shown', async () => {
  const { points, faulty } = await read([
    ['Title of the sheet'],
    [],
    ['Name', 'lat', 'lon'],
    ['A', { v: days(52, 31, 12.024), style: 'elapsed' }, { v: days(13, 24, 17.8344), style: 'time' }],
    ['B', '52:31:13', { v: days(0, 0, 5), style: 'time' }],
    ['C', 52.52, 13.4],
  ])
  expect(faulty).toEqual([])
  expect(points.map(({ latitude, longitude }) => [latitude, longitude])).toEqual([
    [expect.closeTo(52.52000666667, 9), expect.closeTo(13.404954, 9)],
    [expect.closeTo(52.52027777778, 9), expect.closeTo(5 / 3600, 9)],
    [52.52, 13.4],
  ])
})

test('a unit in the format of a cell is its unit', async () => {
  const { points } = await read([
    ['Name', 'lat', 'lon', 'altitude'],
    ['A', 52.52, 13.4, { v: '112.25', style: 'feet' }],
    ['B', 52.53, 13.4, 34.5],
  ])
  expect(points.map(({ altitude }) => altitude)).toEqual([expect.closeTo(34.2138, 9), 34.5])
})

test('angles that a spreadsheet of OpenDocument stores as times are read as they are shown', async () => {
  const time = (value: string, shown: string) =>
    `<table:table-cell office:value-type="time" office:time-value="${value}"><text:p>${shown}</text:p></table:table-cell>`
  const header = ['Name', 'lat', 'lon'].map(odsText).join('')
  const row = `${odsText('A')}${time('PT52H31M12S', '52:31:12')}${time('PT13H24M18.25S', '13:24:18')}`
  const { points } = await surveyOf(await spreadsheetOf('Sheet', [header, row]))
  expect(points).toMatchObject([
    { latitude: expect.closeTo(52.52, 9), longitude: expect.closeTo(13.4 + 18.25 / 3600, 9) },
  ])
})
