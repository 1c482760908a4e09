import { afterAll, beforeAll, expect, test } from 'vitest'
import { openImports } from '../../../test/surveying/imports.ts'

let opened: Awaited<ReturnType<typeof openImports>>
beforeAll(async () => {
  opened = await openImports()
})
afterAll(() => opened.close())

const imported = (text: string) => opened.imports.imported(text)
const reported = async (text: string) => (await opened.imports.imported(text, { query: '?dryRun=true' })).report
const unread = ({ rows }: { rows: { errors: { code: string; message: string }[] }[] }): string[] =>
  rows.flatMap(({ errors }) => errors.filter(({ code }) => code === 'HEIGHTS_NOT_READ').map(({ message }) => message))

test.each(['QNHD', 'rel_alt', 'OK Schacht', 'Höhe NHN alt', 'Crest', 'Kote alt'])(
  'numbers under %s are no heights without a word for them, and the report names the column',
  async (header) => {
    const report = await reported(`name,lat,lon,${header}\nA,52.52,13.4,34.25\nB,52.53,13.41,35.5\n`)
    expect(report.summary).toMatchObject({ created: 2, failed: 0 })
    expect(unread(report)).toEqual([expect.stringMatching(new RegExp(`"${header}".*import with header= and h`))])
  },
)

test('a column of heights is named if some of its cells are empty, say none or have a unit', async () => {
  const report = await reported('name,lat,lon,OK Schacht\nA,52.52,13.4,34.25 m\nB,52.53,13.41,-\nC,52.54,13.41,\n')
  expect(unread(report)).toEqual([expect.stringContaining('"OK Schacht"')])
})

test('several columns that may be heights are in one notice', async () => {
  const cells = 'A,52.52,13.4,34.25,33.1,32.1,31.1'
  expect(unread(await reported(`name,lat,lon,aa,bb,cc,dd\n${cells}\n`))).toEqual([
    expect.stringContaining('if "aa", "bb", "cc" or one of 1 more has heights'),
  ])
})

test('whole numbers, errors of a measurement and columns beside heights are not named', async () => {
  const report = await reported('name,lat,lon,Satellites,PDOP,Anzahl,RMS\nA,52.52,13.4,12,1.25,3,0.02\n')
  expect(unread(report)).toEqual([])
  expect(unread(await reported('name,lat,lon,h,rel_alt\nA,52.52,13.4,74.25,50.1\n'))).toEqual([])
  expect(unread(await reported('WKT,name,rel_alt\n"POINT Z (13.4 52.5 74)",A,50.1\n'))).toEqual([])
})

test.each([
  ['Level', 'unknown'],
  ['Ground Level (m)', 'unknown'],
  ['Level (mAOD)', 'EPSG:5701'],
])('levels with decimals are heights: %s', async (header, datum) => {
  const { gcps } = await imported(`name,lat,lon,${header}\nA,52.52,-1.4,34.25\nB,52.53,-1.41,35.51\n`)
  expect(gcps.find(({ title }: { title: string }) => title === 'A')).toMatchObject({
    altitude: 34.25,
    heightDatum: datum,
  })
})

test('levels without decimals are floors, and are named', async () => {
  const { report, gcps } = await imported('name,lat,lon,Level\nA,52.52,-1.4,3\nB,52.53,-1.41,4\n')
  expect(gcps[0]).toMatchObject({ altitude: null })
  expect(unread(report)).toEqual([expect.stringContaining('"Level" seems to have some')])
})

test('words for no value are no heights, and the report counts them once for the file', async () => {
  const rows = ['A,52.52,13.4,#N/A', 'B,52.53,13.41,NaN', 'C,52.54,13.42,-', 'D,52.55,13.43,34.2', 'E,52.56,13.44,']
  const { report, gcps } = await imported(`name,lat,lon,altitude\n${rows.join('\n')}\n`)
  expect(report.summary).toMatchObject({ created: 5, failed: 0 })
  expect(gcps.filter(({ altitude }: { altitude: number | null }) => altitude !== null)).toMatchObject([{ title: 'D' }])
  expect(unread(report)).toEqual([expect.stringContaining('3 points have "#N/A" or "NaN" or "-" as height')])
})

test.each(['#VALUE!', '#REF!', '#DIV/0!', '#WERT!'])('%s of a formula fails its row, and says so', async (cell) => {
  const report = await reported(`name,lat,lon,altitude\nA,52.52,13.4,${cell}\nB,52.53,13.41,34.2\n`)
  expect(report.summary).toMatchObject({ created: 1, failed: 1 })
  expect(report.rows.find(({ row }: { row: number | null }) => row === 1).errors).toMatchObject([
    { code: 'NOT_A_NUMBER', column: 'altitude', message: expect.stringContaining('the error of a formula') },
  ])
})

test('a level beside positions with heights is not their height', async () => {
  const { gcps } = await imported(
    'name,WKT,Level\nA,POINT Z (13.4 52.52 74.5),2.50\nB,POINT Z (13.41 52.53 75.5),2.51\n',
  )
  expect(gcps.map(({ altitude }: { altitude: number }) => altitude).sort()).toEqual([74.5, 75.5])
})
