// @module-tag long
import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../test/surveying/survey.ts'
import { crsTextOf } from '../../../reference-systems/crs-text.ts'
import { isHeaderLine } from '../layout/columns.ts'
import { readAngle } from '../rows/values/angles.ts'
import { looksNumeric, readNumber } from '../rows/values/numbers.ts'

// Quadratic regular expressions would take minutes here and exceed the time limit of the test.
const GAP = ' '.repeat(200_000)
const PIECE = 64 * 1024

describe('long runs of one character', () => {
  test('refuses a cell of hundreds of thousands of characters as number, angle or system at once', async () => {
    for (const cell of [
      `1${GAP}x`,
      `1${GAP}1${GAP}1`,
      `1${'*'.repeat(200_000)}x`,
      `1 ${'1'.repeat(200_000)} N`,
      `1${GAP}`.padEnd(400_000, '°'),
    ]) {
      expect([looksNumeric(cell), readNumber(cell, '.'), readAngle(cell, '.'), crsTextOf(cell)]).toEqual([
        false,
        undefined,
        undefined,
        undefined,
      ])
    }
    const { points, faulty } = await surveyOf(`title,lat,lon\nA,1${GAP}x,2\nB,1.5,2.5\n`, {}, PIECE)
    expect(faulty).toMatchObject([{ row: 1, faults: [{ code: 'NOT_A_NUMBER' }] }])
    expect(points.map(({ title }) => title)).toEqual(['B'])
  })

  test('ignores a header cell of 200,000 characters', async () => {
    for (const long of ['('.repeat(200_000), `a${GAP}b`, 'latitude '.repeat(22_000)]) {
      const { points } = await surveyOf(`sep=,\ntitle,lat,lon,${long}\nA,1.5,2.5,x\n`, {}, PIECE)
      expect(points.map(({ title }) => title)).toEqual(['A'])
    }
    expect(isHeaderLine(`lat;lon;${GAP}x`)).toBe(true)
  })

  test('reads at most 255 characters of a system in a column', async () => {
    const { faulty } = await surveyOf(
      `title,easting,northing,crs\nA,1,2,x${'('.repeat(200_000)}\nB,1,2,x${'" '.repeat(100_000)}y\n`,
      {},
      PIECE,
    )
    expect(faulty.map(({ faults }) => faults[0]!.code)).toEqual(['UNKNOWN_CRS', 'UNKNOWN_CRS'])
  })

  test('refuses a first line of 60 KiB of delimiters with a message', async () => {
    for (const line of [`${','.repeat(60 * 1024)}x`, ','.repeat(60 * 1024), `# ${' ,'.repeat(30 * 1024)}x`]) {
      await expect(surveyOf(`${line}\n${line}\n`, {}, PIECE)).rejects.toHaveProperty('code')
    }
    expect(crsTextOf(`EPSG:25833 ,,;${' '.repeat(300)}`)).toBe('EPSG:25833')
    expect(crsTextOf(`EPSG:25833${' '.repeat(600)}`)).toBeUndefined()
  })
})

describe('long files', () => {
  test('counts empty lines too: refuses a file of line ends after reading its rows', async () => {
    const few = await surveyOf('title,lat,lon\n\n\nA,1.5,2.5\n', { maxLines: 4 }, PIECE)
    expect(few.points).toHaveLength(1)
    for (const text of ['title,lat,lon\n\n\n\nA,1.5,2.5\n', '\n\ntitle lat lon\n\nA 1.5 2.5'])
      await expect(surveyOf(text, { maxLines: 4 })).rejects.toMatchObject({ code: 'TOO_MANY_ROWS' })
    await expect(surveyOf(`title,lat,lon\n${'\n'.repeat(3_000_000)}`, {}, PIECE)).rejects.toMatchObject({
      code: 'TOO_MANY_ROWS',
      message: 'the file has more than 400000 lines',
    })
  })

  test('yields to the event loop for rows of all widths, and keeps the stacks of errors', async () => {
    const text = `title,lat,lon\n${'\nA\nA,1\n'.repeat(30_000)}`
    let turns = 0
    let stop = false
    const turn = () => {
      turns++
      if (!stop) setImmediate(turn)
    }
    setImmediate(turn)
    const { faulty } = await surveyOf(text, {}, text.length)
    stop = true
    expect(faulty).toHaveLength(60_000)
    expect(turns).toBeGreaterThan(text.length / PIECE)
    expect(new Error('with a stack').stack).toContain('hostile.test')
  })

  test('keeps surrogate pairs whole wherever the text is divided', async () => {
    for (const shift of ['', 'x']) {
      const description = '😀'.repeat(900)
      const rows = Array.from({ length: 20 }, (_, i) => `P${i},1.5,2.5,${description}`)
      const { points } = await surveyOf(
        `title,lat,lon,notes${shift}\n${rows.join('\n')}\n`.replace('notesx', ' notes'),
        {},
        1 << 20,
      )
      expect(points.map((point) => point.description)).toEqual(rows.map(() => description))
    }
  })

  test('names a line without an end', async () => {
    const message = (line: number) => `line ${line} is longer than 256 KiB (or a quote on it is never closed)`
    const long = '1234567 '.repeat(100_000)
    await expect(surveyOf(long, {}, PIECE)).rejects.toMatchObject({ line: 1, message: message(1) })
    await expect(surveyOf(long.replaceAll(' ', ''), {}, PIECE)).rejects.toMatchObject({ line: 1, message: message(1) })
    await expect(surveyOf(`title,lat,lon\n\n${long}`, {}, PIECE)).rejects.toMatchObject({ message: message(3) })
    for (const sign of ',;\t|')
      await expect(
        surveyOf(`title${sign}lat${sign}lon\nA${sign}1${sign}2\n${sign.repeat(800_000)}`, {}, PIECE),
      ).rejects.toMatchObject({ message: message(3) })
  })
})

describe('XML of Metashape', () => {
  const head = '<?xml version="1.0"?>\n<document version="1.2.0"><chunk><markers>'

  test('refuses more markers than a file may have, before the rest is read', async () => {
    const markers = '<marker id="0" label="A"><reference x="1.5" y="2.5"/></marker>\n'.repeat(50_000)
    await expect(surveyOf(head + markers, { maxRows: 1000 }, PIECE)).rejects.toMatchObject({ code: 'TOO_MANY_ROWS' })
  })

  test.each([
    ['elements without ends', '<markers>'.repeat(100_000)],
    ['a label without an end', `<marker label="${'a'.repeat(400_000)}`],
    ['a text without an end', `</markers><reference>GEOGCS["${GAP.repeat(25)}`],
  ])('refuses %s with the line', async (_, inside) => {
    await expect(surveyOf(head + inside, {}, PIECE)).rejects.toMatchObject({ code: 'NOT_WELL_FORMED', line: 2 })
  })

  test('keeps few systems of many chunks', async () => {
    const system = (i: number) => `<reference>LOCAL_CS["${i}${'x'.repeat(1000)}"]</reference>`
    const chunks = Array.from({ length: 3000 }, (_, i) => `</markers>${system(i)}<markers>`)
    const file = `${head}<marker id="0" label="A"><reference x="1.5" y="2.5"/></marker>${chunks.join('')}</markers></chunk></document>`
    await expect(surveyOf(file, {}, PIECE)).rejects.toMatchObject({
      code: 'NOT_A_TABLE',
      message: expect.toSatisfy((message: string) => message.length < 1500),
    })
  })
})
