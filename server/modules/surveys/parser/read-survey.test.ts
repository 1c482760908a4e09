import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { surveyFile, surveyOf } from '../../../test/surveying/survey.ts'

describe('rows of a survey file', () => {
  test('reads a first row with its position in one cell as a row, under a given header', async () => {
    for (const [header, rows] of [
      ['name,wkt', 'A,"POINT(13.4 52.5)"\nB,"POINT(13.5 52.5)"\n'],
      ['name,lat/lon', 'A,"52.5,13.4"\nB,"52.5,13.5"\n'],
    ] as const) {
      const { points } = await surveyOf(rows, { header })
      expect(points).toMatchObject([
        { title: 'A', latitude: 52.5, longitude: 13.4 },
        { title: 'B', latitude: 52.5, longitude: 13.5 },
      ])
    }
  })

  test("skips a given header and the file's own header wherever they are repeated", async () => {
    const content = 'name,lon,lat\nA,48.25,16.5\nname,lon,lat\nB,48.26,16.6\nname,lat,lon\nC,48.27,16.7\n'
    const { points, faulty } = await surveyOf(content, { header: 'name,lat,lon' })
    expect(faulty).toEqual([])
    expect(points.map(({ title, latitude }) => [title, latitude])).toEqual([
      ['A', 48.25],
      ['B', 48.26],
      ['C', 48.27],
    ])
  })

  test('reports all errors of invalid rows and reads the valid ones', async () => {
    const { points, faulty } = await surveyFile('all_row_errors.csv')
    expect(points.map((point) => point.title)).toEqual(['N1', 'N5'])
    expect(
      faulty.map(({ row, line, faults }) => [row, line, faults.map(({ code, column }) => `${code} ${column}`)]),
    ).toEqual([
      [2, 3, ['LATITUDE_RANGE lat']],
      [3, 4, ['NOT_A_NUMBER lon']],
      [4, 5, ['APRIL_TAG_RANGE aprilTagId']],
      [6, 7, ['DUPLICATE_TITLE title']],
      [7, 8, ['MISSING_TITLE title']],
      [8, 9, ['NOT_A_NUMBER lat', 'APRIL_TAG_RANGE aprilTagId']],
    ])
    expect(faulty[0]!.faults[0]).toEqual({
      column: 'lat',
      value: '91',
      code: 'LATITUDE_RANGE',
      message: 'latitude 91 is outside -90..90',
    })
  })

  test('refuses a row of another width than the header, except for empty fields at its end', async () => {
    expect((await surveyFile('ragged_row.csv')).faulty).toMatchObject([
      { row: 1, line: 2, faults: [{ code: 'RAGGED_ROW' }] },
    ])
    const { points, faulty } = await surveyOf('title,lat,lon\nA,52,5,13,4\nB,52.5,13.4,,\n')
    expect(points.map((point) => point.title)).toEqual(['B'])
    expect(faulty).toMatchObject([{ row: 1, faults: [{ code: 'RAGGED_ROW' }] }])
  })

  test('never reads half of a number with a decimal comma', async () => {
    const { points, faulty } = await surveyOf('title,lat,lon\nA,"12,5",13.4\nB,52.5,13.4\nC,"1.234,5",1.5\n')
    expect(points.map((point) => point.title)).toEqual(['B'])
    expect(faulty[0]!.faults[0]).toMatchObject({ code: 'NOT_A_NUMBER', column: 'lat', value: '12,5' })
    expect(faulty[0]!.faults[0]!.message).toContain('write 12.5')
    expect(faulty[1]!.faults[0]).toMatchObject({ code: 'NOT_A_NUMBER', value: '1.234,5' })
  })

  test('accepts delimiters, quotes and line ends in quoted fields, and counts lines correctly', async () => {
    const { points, lines } = await surveyOf(
      'title,lat,lon,notes\r\n"a ""b"", c\r\nd",1.5,2.5,x\r\n\r\nlast,3.5,4.5,"y\nz"\r\n',
    )
    expect(points.map(({ title, description }) => [title, description])).toEqual([
      ['a "b", c\nd', 'x'],
      ['last', 'y\nz'],
    ])
    expect(lines).toEqual([2, 5])
    expect((await surveyFile('quoted_newline.csv')).points[0]!.title).toBe('multi\nline "quoted"')
  })

  test('ends at an unclosed quote and names its line', async () => {
    await expect(surveyOf('title,lat,lon\nA,1.5,2.5\n"B,1.5,2.5\nC,1.5,2.5\n')).rejects.toMatchObject({
      code: 'UNCLOSED_QUOTE',
      line: 3,
    })
  })

  test('accepts at most three http URLs as photos', async () => {
    const { points, faulty } = await surveyOf(
      'title;lat;lon;photos\nA;1.5;2.5;https://a.example/1.jpg | https://a.example/2.jpg\nB;1.5;2.5;javascript:alert(1)\nC;1.5;2.5;https://a.example/1 https://a.example/2 https://a.example/3 https://a.example/4\n',
    )
    expect(points[0]!.photoUrls).toEqual(['https://a.example/1.jpg', 'https://a.example/2.jpg'])
    expect(faulty.map(({ faults }) => faults[0]!.code)).toEqual(['BAD_URL', 'TOO_MANY_PHOTOS'])
  })

  test('accepts the integers 0..50 as AprilTags', async () => {
    const { points, faulty } = await surveyOf(
      'title,lat,lon,tag\nA,1.5,2,0\nB,1.5,2,50\nC,1.5,2,51\nD,1.5,2,-1\nE,1.5,2,2.5\nF,1.5,2,x\n',
    )
    expect(points.map((point) => point.aprilTagId)).toEqual([0, 50])
    expect(faulty.map(({ faults }) => faults[0]!.code)).toEqual([
      'APRIL_TAG_RANGE',
      'APRIL_TAG_RANGE',
      'APRIL_TAG_RANGE',
      'NOT_A_NUMBER',
    ])
  })

  test('reads pose, type, data and accuracies if there are columns for them', async () => {
    const { points } = await surveyOf(
      'title,lat,lon,yaw,pitch,roll,gcpType,gcpData,Lateral RMS,Elevation RMS (ft)\nA,1.5,2.5,90,-12.5,0,multi,raw,0.02,0.1\n',
    )
    expect(points[0]).toMatchObject({
      yaw: 90,
      pitch: -12.5,
      roll: 0,
      gcpType: 'MULTI',
      gcpData: 'raw',
      accuracyH: 0.02,
    })
    expect(points[0]!.accuracyV).toBeCloseTo(0.03048, 10)
  })

  test('refuses a length that overflows in its unit', async () => {
    for (const [name, cell] of [
      ['altitude (km)', '1e308'],
      ['h (km)', '-1e308'],
      ['accuracyH (km)', '1e306'],
      ['vrms (km)', '1e306'],
      ['accuracy (km)', '0.1/1e308'],
    ]) {
      const { points, faulty } = await surveyOf(`title,lat,lon,${name}\nA,1.5,2.5,${cell}\nB,1.5,2.5,1\n`)
      expect(points.map(({ title }) => title)).toEqual(['B'])
      expect(faulty).toMatchObject([{ row: 1, faults: [{ code: 'NOT_A_NUMBER', column: name, value: cell }] }])
    }
    const { faulty } = await surveyOf('title,lat,lon,easting rms,northing rms\nA,1.5,2.5,1.7e308,1.7e308\n')
    expect(faulty.map(({ faults }) => faults.map(({ code }) => code))).toEqual([['NOT_A_NUMBER']])
  })

  test('ends at the limits of bytes, rows and columns', async () => {
    const text = 'title,lat,lon\nA,1.5,2.5\nB,1.5,2.5\nC,1.5,2.5\n'
    await expect(surveyOf(text, { maxRows: 2 })).rejects.toMatchObject({ code: 'TOO_MANY_ROWS', line: 4 })
    await expect(surveyOf(text, { maxBytes: 20 })).rejects.toMatchObject({ code: 'TOO_LARGE' })
    await expect(surveyOf(text, { maxColumns: 2 })).rejects.toMatchObject({ code: 'TOO_MANY_COLUMNS' })
    await expect(surveyOf('')).rejects.toMatchObject({ code: 'EMPTY_FILE' })
  })
})

const cell = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter((text) => !text.includes('\r') && !text.includes('\0'))
const title = cell.map((text) => text.trim().replace(/^#+/, '')).filter((text) => text.trim() !== '')
const written = fc.record({
  title,
  latitude: fc.double({ min: -90, max: 90, noNaN: true }).map((value) => value + 0),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }).map((value) => value + 0),
  h: fc.option(fc.double({ min: -1e4, max: 1e5, noNaN: true }).map((value) => value + 0)),
  description: fc.option(cell.map((text) => text.trim()).filter((text) => text !== '')),
  aprilTagId: fc.option(fc.integer({ min: 0, max: 50 })),
})
const quoted = (text: string | number | null, delimiter: string, comma: boolean) => {
  const plain = typeof text === 'number' && comma ? String(text).replace('.', ',') : String(text ?? '')
  return plain.includes(delimiter) || /["\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

describe('written points', () => {
  test('are read back in any delimiter, decimal separator, column order and chunk size', {
    tags: ['long'],
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(written, {
          selector: (point) => point.title.normalize('NFKC').toUpperCase().toLowerCase().trim(),
          minLength: 1,
          maxLength: 30,
        }),
        fc.constantFrom(
          [',', false],
          [';', false],
          [';', true],
          ['\t', false],
          ['\t', true],
          ['|', true],
        ) as fc.Arbitrary<[string, boolean]>,
        fc.shuffledSubarray(['title', 'latitude', 'longitude', 'h', 'description', 'aprilTagId'] as const, {
          minLength: 6,
        }),
        fc.integer({ min: 1, max: 100 }),
        async (points, [delimiter, comma], columns, pieceSize) => {
          const rows = points.map((point) =>
            columns.map((name) => quoted(point[name], delimiter, comma)).join(delimiter),
          )
          const survey = await surveyOf(
            `sep=${delimiter}\n${[columns.join(delimiter), ...rows].join('\n')}\n`,
            {},
            pieceSize,
          )
          expect(survey.faulty).toEqual([])
          expect(survey.points.map((point) => ({ ...point, title: point.title.trim() }))).toMatchObject(points)
        },
      ),
      { numRuns: 200 },
    )
  })
})
