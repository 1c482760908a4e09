import { expect, test } from 'vitest'
import {
  archiveOf,
  type Cell,
  odsNumber,
  odsText,
  spreadsheetOf,
  workbookOf,
} from '../../../../../test/content/archives.ts'
import { surveyOf } from '../../../../../test/surveying/survey.ts'
import { entriesOf } from '../zip/archive.ts'

const PIECE = 64 * 1024
const sheet: Cell[][] = [
  ['Survey of June, site "Nord"'],
  ['EPSG:25833'],
  [],
  ['Punktnummer', 'Rechtswert', 'Hochwert', 'Höhe', 'Bemerkung', 'Datum'],
  [null, 'm', 'm', 'm'],
  [
    '001',
    { v: '372042.97362072783' },
    { v: '5796064.1221613660' },
    34.125,
    'two\nlines, "x"\ty',
    { v: '45292', style: 'date' },
  ],
  [{ v: '12345678901234567' }, { v: '372043.1', formula: 'B6+1' }, 5796065, 34],
  [],
  ['P9', 372044.1, 5796066, { v: '3.5E1' }],
  [],
]

test('reads a sheet like a CSV file: titles, the named system, a header and units, numbers with every digit', {
  tags: ['long'],
}, async () => {
  const { detected, points, lines, faulty } = await surveyOf(await workbookOf({ Punkte: sheet }), {}, PIECE)
  expect(detected).toMatchObject({
    format: 'xlsx',
    layer: 'Punkte',
    layers: ['Punkte'],
    crs: 'EPSG:25833',
    delimiter: null,
  })
  expect(detected.cells[0]).toEqual([
    '001',
    '372042.97362072783',
    '5796064.1221613660',
    '34.125',
    'two\nlines, "x"\ty',
    '2024/01/01',
  ])
  expect(points.map(({ title }) => title)).toEqual(['001', '12345678901234567', 'P9'])
  expect(points.map(({ description }) => description)).toEqual(['two\nlines, "x"\ty', null, null])
  expect(points[0]!.latitude).toBeCloseTo(52.3, 9)
  expect(points[0]!.longitude).toBeCloseTo(13.123456789, 9)
  expect(lines).toEqual([6, 7, 9])
  expect(faulty).toEqual([])
})

test('fails an invalid row with its row number in the sheet', async () => {
  const rows = [['title', 'lat', 'lon'], ['A', 52.5, 13.4], [], ['B', 'north', 13.5], ['C', 91, 13.5]]
  const { points, faulty } = await surveyOf(await workbookOf({ S: rows }), {}, PIECE)
  expect(points).toHaveLength(1)
  expect(faulty.map(({ line, faults }) => [line, faults[0]!.code])).toEqual([
    [4, 'NOT_A_NUMBER'],
    [5, 'LATITUDE_RANGE'],
  ])
})

test('requires a sheet name if several have rows; empty ones do not count', async () => {
  const file = await workbookOf({ Punkte: sheet, Notes: [['hello']], Empty: [] })
  await expect(surveyOf(file, {}, PIECE)).rejects.toMatchObject({
    code: 'WHICH_LAYER',
    message: 'the file has 2 sheets with rows, "Punkte", "Notes": name the one to import, as in layer=Punkte',
  })
  await expect(surveyOf(file, { layer: 'punkte' }, PIECE)).rejects.toMatchObject({
    code: 'WHICH_LAYER',
    message: 'the file has no sheet "punkte": it has "Punkte", "Notes"',
  })
  const { points, detected } = await surveyOf(file, { layer: 'Punkte' }, PIECE)
  expect(points).toHaveLength(3)
  expect(detected).toMatchObject({ layer: 'Punkte', layers: ['Punkte', 'Notes'] })
})

/** A file in a ZIP with a text replaced. */
async function edited(zip: Buffer, name: string, from: string, to: string): Promise<Buffer> {
  const files = entriesOf(zip).map((entry) => [entry.name, entry.unpack()] as const)
  return archiveOf(
    Object.fromEntries(files.map(([at, bytes]) => [at, at === name ? String(bytes).replace(from, to) : bytes])),
  )
}
const marks = [
  ['title', 'lat', 'lon'],
  ['A', 52.5, 13.4],
]
const old = [
  ['title', 'lat', 'lon'],
  ['B', 48.5, 11.4],
]

test.each(['hidden', 'veryHidden'])(
  'does not offer a sheet that is %s, and says that it was not read',
  async (state) => {
    const file = await edited(
      await workbookOf({ Old: old, Marks: marks }),
      'xl/workbook.xml',
      '<sheet name="Old"',
      `<sheet state="${state}" name="Old"`,
    )
    const { points, notices } = await surveyOf(file, {}, PIECE)
    expect(points.map(({ title }) => title)).toEqual(['A'])
    expect(notices).toContainEqual({
      kind: 'notice',
      code: 'LAYERS_NOT_READ',
      message: expect.stringContaining('"Old"'),
    })
    expect((await surveyOf(file, { layer: 'Old' }, PIECE)).points.map(({ title }) => title)).toEqual(['B'])
  },
)

test('asks for a hidden sheet by name if no other has rows', async () => {
  const file = await edited(
    await workbookOf({ Old: old, Empty: [] }),
    'xl/workbook.xml',
    '<sheet name="Old"',
    '<sheet state="hidden" name="Old"',
  )
  await expect(surveyOf(file, {}, PIECE)).rejects.toMatchObject({
    code: 'WHICH_LAYER',
    message: 'only hidden sheets of the file have rows, "Old": name the one to import, as in layer=Old',
    layers: ['Old'],
  })
})

test('does not offer an OpenDocument sheet whose style hides it', async () => {
  const row = (cells: (string | number)[]) =>
    cells.map((cell) => (typeof cell === 'string' ? odsText(cell) : odsNumber(String(cell), String(cell)))).join('')
  const hiddenTable = `<table:table table:name="Old" table:style-name="ta2">${old.map((cells) => `<table:table-row>${row(cells)}</table:table-row>`).join('')}</table:table>`
  const styles =
    '<office:automatic-styles><s:style s:name="ta2" s:family="table"><s:table-properties table:display="false"/></s:style></office:automatic-styles>'
  const named = await edited(
    await spreadsheetOf('Marks', marks.map(row)),
    'content.xml',
    '<office:body>',
    `${styles}<office:body>`,
  )
  const file = await edited(
    await edited(named, 'content.xml', '</office:spreadsheet>', `${hiddenTable}</office:spreadsheet>`),
    'content.xml',
    'office:version',
    'xmlns:s="urn:oasis:names:tc:opendocument:xmlns:style:1.0" office:version',
  )
  expect((await surveyOf(file, {}, PIECE)).points.map(({ title }) => title)).toEqual(['A'])
})

test('reads hidden rows like the others, and counts those with values', async () => {
  const xlsx = await workbookOf({ Marks: [...marks, ...old.slice(1), []] })
  const hidden = await edited(xlsx, 'xl/worksheets/sheet1.xml', '<row r="3"', '<row r="3" hidden="1"')
  const ods = await spreadsheetOf('Marks', [
    ['title', 'lat', 'lon'].map(odsText).join(''),
    odsText('A') + odsNumber('52.5', '') + odsNumber('13.4', ''),
    odsText('B') + odsNumber('48.5', '') + odsNumber('11.4', ''),
  ])
  const from = `<table:table-row>${odsText('B')}`
  const filtered = await edited(ods, 'content.xml', from, from.replace('-row', '-row table:visibility="filter"'))
  for (const file of [
    await edited(hidden, 'xl/worksheets/sheet1.xml', '<row r="4"', '<row r="4" hidden="1"'),
    filtered,
  ]) {
    const { points, notices } = await surveyOf(file, {}, PIECE)
    expect(points.map(({ title }) => title)).toEqual(['A', 'B'])
    expect(notices).toContainEqual({
      kind: 'notice',
      code: 'HIDDEN_ROWS_READ',
      message: expect.stringMatching(/^1 hidden row of the sheet was read/),
    })
  }
})

test('reads the first row of every sheet, whatever its cells', async () => {
  const numbers = [
    ['EPSG:4326', null, null],
    ['B', 48.5, 11.4],
    ['C', 48.6, 11.5],
  ]
  const file = await workbookOf({ Marks: marks, Other: marks, Numbers: numbers })
  for (const layer of ['Marks', 'Other'])
    expect((await surveyOf(file, { layer }, PIECE)).points.map(({ title }) => title)).toEqual(['A'])
  const { points } = await surveyOf(file, { layer: 'Numbers', header: 'name;lat;lon' }, PIECE)
  expect(points.map(({ title }) => title)).toEqual(['B', 'C'])
})

test('splits a column of pasted lines as CSV', async () => {
  const rows = [['title;lat;lon'], ['A;52,5;13,4'], ['B;52,6;13,5']]
  const { points } = await surveyOf(await workbookOf({ S: rows }), {}, PIECE)
  expect(points.map(({ title, latitude }) => [title, latitude])).toEqual([
    ['A', 52.5],
    ['B', 52.6],
  ])
})

test('reads the values of numbers and formulas in an OpenDocument sheet, not the displayed text', async () => {
  const file = await spreadsheetOf('Points', [
    ['title', 'lat', 'lon', 'h'].map(odsText).join(''),
    odsText('007') +
      odsNumber('52.300000000000004', '52.3') +
      odsNumber('13.123456789012345', '13.12') +
      odsNumber('34.25', '34', '[.B2]-18'),
  ])
  const { points, detected } = await surveyOf(file, {}, PIECE)
  expect(detected).toMatchObject({ format: 'ods', layer: 'Points' })
  expect(points).toMatchObject([
    { title: '007', latitude: 52.300000000000004, longitude: 13.123456789012344, h: 34.25 },
  ])
})

test.each([
  ['an empty workbook', () => workbookOf({ S: [] }), 'EMPTY_FILE', /no sheet with rows/],
  [
    'a text document',
    () => archiveOf({ 'word/document.xml': '<w/>' }),
    'NOT_A_TABLE',
    /has no workbook.*word\/document\.xml/,
  ],
  [
    'a workbook without its parts',
    () => archiveOf({ 'xl/workbook.xml': '<workbook/>' }),
    'UNREADABLE_FILE',
    /Excel workbook/,
  ],
])('refuses %s', async (_, file, code, message) => {
  await expect(surveyOf(await file(), {}, PIECE)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  })
})
