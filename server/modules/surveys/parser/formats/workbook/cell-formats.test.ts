import { expect, test } from 'vitest'
import { archiveOf, type Cell, odsText, spreadsheetOf, workbookOf } from '../../../../../test/content/archives.ts'
import { surveyOf } from '../../../../../test/surveying/survey.ts'
import type { SurveyOptions } from '../../read-survey.ts'
import { entriesOf } from '../zip/archive.ts'

const days = (hours: number, minutes: number, seconds: number) =>
  String((hours * 3600 + minutes * 60 + seconds) / 86_400)
const PIECE = 64 * 1024
const read = async (rows: Cell[][], options: SurveyOptions = {}) =>
  surveyOf(await workbookOf({ Notes: [['no points']], 'A & B': rows }), { layer: 'A & B', ...options }, PIECE)
const header = ['Name', 'lat', 'lon']
const elapsed = '[hh]:mm:ss.00'

/** A workbook of one sheet with its parts changed. */
async function changed(rows: Cell[][], change: (name: string, part: string) => string | undefined) {
  const parts = entriesOf(await workbookOf({ S: rows })).flatMap(({ name, unpack }) => {
    const part = change(name, String(unpack()))
    return part === undefined ? [] : [[name, part] as const]
  })
  return archiveOf(Object.fromEntries(parts))
}

test('angles that Excel stores as times are read as they are shown', async () => {
  const { points, faulty } = await read([
    ['Title of the sheet'],
    [],
    header,
    ['A', { v: days(52, 31, 12.024), code: elapsed }, { v: days(13, 24, 17.8344), style: 'time' }],
    ['B', '52:31:13', { v: days(0, 0, 5), style: 'time' }],
    [],
    ['C', 52.52, 13.4],
  ])
  expect(faulty).toEqual([])
  expect(points.map(({ latitude, longitude }) => [latitude, longitude])).toEqual([
    [expect.closeTo(52.52000666667, 9), expect.closeTo(13.404954, 9)],
    [expect.closeTo(52.52027777778, 9), expect.closeTo(5 / 3600, 9)],
    [52.52, 13.4],
  ])
})

test.each(['[Red]hh:mm:ss', '[$-F400]h:mm:ss AM/PM', '[h]:mm:ss;@', '[Color 3][h]:mm:ss', '[<1]hh:mm:ss;[h]:mm:ss'])(
  'a time is one in any colour, locale or section: %s',
  async (code) => {
    const { points, faulty } = await read([header, ['A', { v: days(4, 31, 12), code }, 13.4]])
    expect(faulty).toEqual([])
    expect(points[0]!.latitude).toBeCloseTo(4.52, 9)
  },
)

test.each(['"h"0.000', '0.000\\s', '[>50]hh:mm:ss;0.000', '[$sh-407]0.000', '0.000_h', '0.000'])(
  'a format is of no time by its texts, or if only a condition makes it one: %s',
  async (code) => {
    const { points, faulty } = await read([header, ['A', { v: '4.52', code }, 13.4]])
    expect(faulty).toEqual([])
    expect(points[0]!.latitude).toBe(4.52)
  },
)

test('texts of formulas have no number format, numbers of formulas have', async () => {
  const { points, faulty } = await read([
    header,
    [
      { v: '7', type: 'str', code: elapsed, formula: 'Z1' },
      { v: '52.52', type: 'str', code: elapsed, formula: 'Z2' },
      { v: days(13, 24, 0), type: 'n', code: elapsed, formula: 'Z3' },
    ],
  ])
  expect(faulty).toEqual([])
  expect(points).toMatchObject([{ title: '7', latitude: 52.52, longitude: expect.closeTo(13.4, 9) }])
})

test('an error, and a number of days that is no angle, are not shown as times', async () => {
  const { points, faulty } = await read([
    header,
    ['A', { v: '#N/A', type: 'e', code: elapsed }, 13.4],
    ['B', { v: '52.52', style: 'time' }, 13.4],
  ])
  expect(faulty).toMatchObject([{ title: 'A', faults: [{ value: '#N/A' }] }])
  expect(points).toMatchObject([{ title: 'B', latitude: 52.52 }])
})

test('cells without references are counted', async () => {
  const rows: Cell[][] = [header, ['A', 52.52, { v: days(13, 24, 0), style: 'time' }]]
  const file = await changed(rows, (_, part) => part.replace(/ r="[A-Z]+\d+"/g, ''))
  const { points } = await surveyOf(file, {}, PIECE)
  expect(points).toMatchObject([{ title: 'A', latitude: 52.52, longitude: expect.closeTo(13.4, 9) }])
})

test('cells outside of the data of a sheet do not count', async () => {
  const rows: Cell[][] = [header, ['A', 52.52, { v: days(13, 24, 0), style: 'time' }]]
  const file = await changed(rows, (_, part) =>
    part.replace('</sheetData>', '</sheetData><extLst><ext><c r="B2" s="2"><v>0.5</v></c></ext></extLst>'),
  )
  expect((await surveyOf(file, {}, PIECE)).points).toMatchObject([{ latitude: 52.52 }])
})

test.each<[string, (name: string, part: string) => string | undefined]>([
  ['damaged styles', (name, part) => (name === 'xl/styles.xml' ? part.replace('</cellXfs>', '') : part)],
  ['rows in another order', (_, part) => part.replace(/(<row r="2">.*?<\/row>)(<row r="3">.*?<\/row>)/, '$2$1')],
])('a workbook is refused rather than read in days: %s', async (_, change) => {
  const time = { v: days(13, 24, 0), style: 'time' } as const
  const file = await changed([header, ['A', 52.52, time], ['B', 52.53, time]], change)
  await expect(surveyOf(file, {}, PIECE)).rejects.toMatchObject({
    code: 'UNREADABLE_FILE',
    message: expect.stringContaining('cannot be read'),
  })
})

test('angles that a spreadsheet of OpenDocument stores as times are read as they are shown', async () => {
  const time = (value: string, shown: string) =>
    `<table:table-cell office:value-type="time" office:time-value="${value}"><text:p>${shown}</text:p></table:table-cell>`
  const row = `${odsText('A')}${time('PT52H31M12S', '52:31:12')}${time('PT13H24M18.25S', '13:24:18')}`
  const { points, faulty } = await surveyOf(await spreadsheetOf('Sheet', [header.map(odsText).join(''), row]))
  expect(faulty).toEqual([])
  expect(points).toMatchObject([
    { latitude: expect.closeTo(52.52, 9), longitude: expect.closeTo(13.4 + 18.25 / 3600, 9) },
  ])
})

test('TRUE and FALSE are no numbers', async () => {
  const rows = [header, ['A', 52.52, 13.4], ['B', 1, 0]]
  const file = await changed(rows, (_, part) => part.replace(/<c r="([BC]3)"([^>]*)>/g, '<c r="$1"$2 t="b">'))
  const { points, faulty } = await surveyOf(file)
  expect([points.length, faulty.map(({ faults }) => faults.map(({ value }) => value))]).toEqual([
    1,
    [['TRUE', 'FALSE']],
  ])
})
