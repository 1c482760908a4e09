import { expect, test } from 'vitest'
import { archiveOf } from '../../../../../test/content/archives.ts'
import { zipOf } from '../../../../../test/content/zip-bomb.ts'
import { gdalFile, pointsOf } from '../../../../../test/programs/gdal-files.ts'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const PIECE = 64 * 1024
const features = pointsOf([
  { at: [372042.97362072783, 5796064.122161366], properties: { point_id: '001', remark: 'Höhe' } },
])
const shapefile = () =>
  gdalFile('marks.shp', features, {
    driver: 'ESRI Shapefile',
    crs: 'EPSG:25833',
    args: ['-lco', 'ENCODING=ISO-8859-1'],
  })
const under = (folder: string, files: Record<string, Uint8Array>, change: (name: string) => string = (name) => name) =>
  Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`${folder}${change(name)}`, bytes]))

test('finds a Shapefile in any folder and in capitals, and reads its encoding from .cpg', async () => {
  const zip = await archiveOf({
    '__MACOSX/._marks.shp': 'x',
    'readme.txt': 'x',
    ...under('Site 7/', await shapefile(), (name) => name.toUpperCase()),
  })
  const { detected, points } = await surveyOf(zip, {}, PIECE)
  expect(detected).toMatchObject({ format: 'shapefile', crs: 'EPSG:25833', columns: { title: 'point_id' } })
  expect(points).toMatchObject([{ title: '001', description: 'Höhe' }])
})

test.each([
  ['.cpg, in words', 'ANSI 1251', 0, 'c6', 'Ж'],
  ['.cpg, as the standard has it', 'Shift_JIS', 0, '88ea', '一'],
  ['.cpg, before the header of .dbf', '1250', 201, 'e8', 'č'],
  ['the header of .dbf', undefined, 201, 'c6', 'Ж'],
  ['the header of .dbf, in Korea', undefined, 78, 'b0a1', '가'],
  ['.cpg, of DOS in Western Europe', '850', 0, '4894', 'Hö'],
  ['the header of .dbf, of DOS in Western Europe', undefined, 2, '4894', 'Hö'],
  ['the header of .dbf, of DOS in the United States', undefined, 1, '4894', 'Hö'],
  ['.cpg, of DOS in Central Europe', 'OEM 852', 0, '9fe6', 'čŠ'],
])('reads fields in the encoding that a file names: %s', async (_, cpg, driver, bytes, text) => {
  const files = await shapefile()
  const dbf = Buffer.from(files['marks.dbf']!)
  dbf[29] = driver
  dbf.set(Buffer.from(bytes, 'hex'), dbf.indexOf(Buffer.from([0x48, 0xf6]))) // Hö
  const { 'marks.cpg': own, ...rest } = files
  expect(own).toBeDefined()
  const zip = await archiveOf({ ...rest, 'marks.dbf': dbf, ...(cpg !== undefined && { 'marks.cpg': cpg }) })
  const { points, notices } = await surveyOf(zip, {}, PIECE)
  expect(points[0]!.description).toContain(text)
  expect(notices.map(({ code }) => code)).not.toContain('ENCODING_FALLBACK')
})

test('names a code page that it cannot read in the notice', async () => {
  const files = await shapefile()
  const zip = await archiveOf({ ...files, 'marks.cpg': '737' })
  const { points, notices } = await surveyOf(zip, {}, PIECE)
  expect(points).toMatchObject([{ title: '001', description: 'Höhe' }])
  const message = expect.stringMatching(/unsupported code page 737.* windows-1252/)
  expect(notices).toContainEqual(expect.objectContaining({ code: 'ENCODING_FALLBACK', message }))
})

test('reads fields without a named encoding as windows-1252 if they are not UTF-8, with a notice', async () => {
  const files = await shapefile()
  const dbf = Buffer.from(files['marks.dbf']!)
  dbf[29] = 0 // no language driver
  const zip = await archiveOf({ 'marks.shp': files['marks.shp']!, 'marks.prj': files['marks.prj']!, 'marks.dbf': dbf })
  const { points, notices } = await surveyOf(zip, {}, PIECE)
  expect(points).toMatchObject([{ title: '001', description: 'Höhe' }])
  expect(notices).toContainEqual(expect.objectContaining({ code: 'ENCODING_FALLBACK' }))
})

test('reads a file without .shx, and requires a system without .prj', async () => {
  const files = await shapefile()
  const bare = await archiveOf({ 'marks.shp': files['marks.shp']!, 'marks.dbf': files['marks.dbf']! })
  await expect(surveyOf(bare, {}, PIECE)).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
  expect((await surveyOf(bare, { crs: 'EPSG:25833' }, PIECE)).points).toMatchObject([{ title: '001' }])
})

test('reads two Shapefiles as two layers, also of one name in two folders', async () => {
  const files = await shapefile()
  const zip = await archiveOf({ ...under('a/', files), ...under('b/', files) })
  await expect(surveyOf(zip, {}, PIECE)).rejects.toMatchObject({
    code: 'WHICH_LAYER',
    message: expect.stringContaining('"a_marks", "b_marks"'),
  })
  expect((await surveyOf(zip, { layer: 'b_marks' }, PIECE)).points).toHaveLength(1)
})

test.each([
  [
    'that is truncated',
    async () => (await archiveOf(await shapefile())).subarray(0, 400),
    'UNREADABLE_FILE',
    /damaged or truncated/,
  ],
  [
    'with invalid geometry',
    () => archiveOf({ 'a.shp': 'x'.repeat(500), 'a.dbf': 'y' }),
    'UNREADABLE_FILE',
    /Shapefile/,
  ],
  ['without its directory', async () => Buffer.from(zipOf('a.shp', 1e9)), 'UNREADABLE_FILE', /damaged/],
  [
    'of other files',
    () => archiveOf({ 'a.txt': 'x', 'b.pdf': 'y' }),
    'NOT_A_TABLE',
    /a\.txt, b\.pdf: upload a file inside it/,
  ],
])('refuses a ZIP file %s', async (_, file, code, message) => {
  await expect(surveyOf(await file(), {}, PIECE)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  })
})
