import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../test/survey.ts'
import { isHeaderLine } from './csv-columns.ts'
import { crsTextOf } from './csv-crs.ts'
import { looksNumeric, readAngle, readNumber } from './csv-numbers.ts'

// What a regular expression reads again from every place of a long run takes minutes: the tests' own time limit tells.
const GAP = ' '.repeat(200_000)
const PIECE = 64 * 1024

describe('long runs of one sign', () => {
  test('a cell of hundreds of thousands of characters is no number, no angle and no system, and is seen at once', async () => {
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

  test('a header cell of 200,000 characters means nothing, whatever it holds', async () => {
    for (const long of ['('.repeat(200_000), `a${GAP}b`, 'latitude '.repeat(22_000)]) {
      const { points } = await surveyOf(`sep=,\ntitle,lat,lon,${long}\nA,1.5,2.5,x\n`, {}, PIECE)
      expect(points.map(({ title }) => title)).toEqual(['A'])
    }
    expect(isHeaderLine(`lat;lon;${GAP}x`)).toBe(true)
  })

  test('a system in a column of the rows is read in its first 255 characters or not at all', async () => {
    const { faulty } = await surveyOf(
      `title,easting,northing,crs\nA,1,2,x${'('.repeat(200_000)}\nB,1,2,x${'" '.repeat(100_000)}y\n`,
      {},
      PIECE,
    )
    expect(faulty.map(({ faults }) => faults[0]!.code)).toEqual(['UNKNOWN_CRS', 'UNKNOWN_CRS'])
  })

  test('a first line of 60 KiB of delimiters is no system and ends in a sentence', async () => {
    for (const line of [`${','.repeat(60 * 1024)}x`, ','.repeat(60 * 1024), `# ${' ,'.repeat(30 * 1024)}x`]) {
      await expect(surveyOf(`${line}\n${line}\n`, {}, PIECE)).rejects.toHaveProperty('code')
    }
    expect(crsTextOf(`EPSG:25833 ,,;${' '.repeat(300)}`)).toBe('EPSG:25833')
    expect(crsTextOf(`EPSG:25833${' '.repeat(600)}`)).toBeUndefined()
  })
})
