import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../test/surveying/survey.ts'
import type { SurveyOptions } from '../read-survey.ts'

/** All counts of the report, with failures by line. */
async function counted(text: string, options: SurveyOptions = {}) {
  const { points, faulty, repeats, notices } = await surveyOf(text, options)
  return {
    rows: points.length + faulty.length + repeats.length,
    titles: points.map(({ title }) => title),
    failed: faulty.map(({ line }) => line),
    notices: notices.map(({ code }) => code),
  }
}

describe('no row is dropped without a line in the report', () => {
  test('fails rows without numbers at the top, under a given header', async () => {
    const text = 'P1,n/a,n/a\nP2,?,?\nP3,x\nP4,52.5,13.4\nP5,52.6,13.5\n'
    expect(await counted(text, { header: 'name,lat,lon' })).toMatchObject({
      rows: 5,
      titles: ['P4', 'P5'],
      failed: [1, 2, 3],
    })
  })

  test('reads a text above the rows as a row under a given header, but not a comment or the system', async () => {
    const text = '# comment\nEPSG:25833\nGate\nP4,391776.15,5820072.96\n'
    expect(await counted(text, { header: 'name,E,N' })).toMatchObject({ rows: 2, titles: ['P4'], failed: [3] })
  })

  test('reads rows with errors between a header and its repetition', async () => {
    const text = 'name,lat,lon\nA,x,y\n\nname,lat,lon\nB,52.5,13.4\n'
    expect(await counted(text)).toMatchObject({ rows: 2, titles: ['B'], failed: [2] })
  })

  test('reads rows with errors above the first valid one, without a header', async () => {
    const good = 'P3,391776.15,5820072.96,74.2\nP4,391786.15,5820082.96,74.3\n'
    const text = `P1,391766.15,abc,n/a\nP2,x,5820072.96,n/a\n${good}`
    expect(await counted(text, { crs: 'EPSG:25833' })).toMatchObject({
      rows: 4,
      titles: ['P3', 'P4'],
      failed: [1, 2],
    })
    const gaps = text.replaceAll(',', ' ')
    expect(await counted(gaps, { crs: 'EPSG:25833' })).toMatchObject({ rows: 4, failed: [1, 2] })
  })

  test('reads a row that names its system in brackets as a row', async () => {
    const rows = [1, 2, 3].map((i) => `P${i};39177${i}.15;582007${i}.96;(EPSG:25833)\n`).join('')
    expect(await counted(rows, { crs: 'EPSG:25833' })).toMatchObject({ rows: 3, failed: [] })
  })

  test.each([
    'name  lat  lon\n----  ---  ---\nA  52.5  13.4\n',
    '| name | lat | lon |\n|---|---|---|\n| A | 52.5 | 13.4 |\n',
  ])('does not count a ruler under the header as a row', async (text) => {
    expect(await counted(text)).toMatchObject({ rows: 1, titles: ['A'], failed: [] })
  })

  test.each([
    'name,lat,lon\nA,52.5,13.4\n---,,\nB,52.6,13.5\n',
    'name,lat,lon\nA,52.5,13.4\n---,---,---\n',
    '|name|lat|lon|\n|A|52.5|13.4|\n|---|---|---|\n|B|52.6|13.5|\n',
  ])('counts rows of signs between and below the rows: %s', async (text) => {
    expect(await counted(text)).toMatchObject({ failed: [3], rows: text.trim().split('\n').length - 1 })
  })

  test('does not count rulers around a repeated header and at the end', async () => {
    const part = '-----------------\nname  lat  lon\n----  ----  ----\n'
    const text = `${part}A  52.5  13.4\n${part}B  52.6  13.5\n-----------------\n`
    expect(await counted(text)).toMatchObject({ rows: 2, titles: ['A', 'B'], failed: [] })
  })

  test('reports a text above the table that has a number', async () => {
    const { points, notices } = await surveyOf('Job;4711\nname;lat;lon\nA;52.5;13.4\n')
    expect(points).toHaveLength(1)
    expect(notices).toContainEqual({
      kind: 'notice',
      code: 'LINES_ABOVE_TABLE',
      message: expect.stringContaining('line 1 ("Job;4711")'),
    })
    expect((await counted('Survey of May 4\nname;lat;lon\nA;52.5;13.4\n')).notices).toEqual([])
  })

  test('reports words that the given header replaces', async () => {
    const { points, faulty, notices } = await surveyOf('Kennung;Wert eins;Wert zwei\nA;52,5;13,4\n', {
      header: 'title;lat;lon',
    })
    expect([points.length, faulty]).toEqual([1, []])
    expect(notices).toContainEqual({
      kind: 'notice',
      code: 'HEADER_REPLACED',
      message: expect.stringContaining('line 1 (Kennung, Wert eins, Wert zwei)'),
    })
  })
})

/** Lines of a file under `name,lat,lon,z`, and the number of rows of each. */
const HEADER = 'name,lat,lon,z'
const figure = (min: number, max: number) => fc.double({ min, max, noNaN: true }).map((value) => value.toFixed(7))
const good = fc.tuple(figure(-89, 89), figure(-179, 179), figure(0, 900))
const slip = fc.constantFrom('x', 'n/a', '', '?', '12,5', '91.2x', '52 31', '"5"', '1e', '--', '52.5.1')
const bad = fc.tuple(slip, fc.oneof(slip, figure(-179, 179)), fc.oneof(slip, figure(0, 900)))
const ragged = fc.array(figure(0, 80), { maxLength: 7 }).filter(({ length }) => length !== 3)
const row = fc.oneof(
  { arbitrary: good, weight: 3 },
  { arbitrary: bad, weight: 2 },
  { arbitrary: ragged as fc.Arbitrary<string[]>, weight: 1 },
)
const aside = fc.constantFrom('', '  ', ',,,', '# a remark', '#, 12, 13', HEADER)

type Line = { text: (n: number) => string; rows: 0 | 1 }
const line: fc.Arbitrary<Line> = fc.oneof(
  { arbitrary: row.map((cells): Line => ({ text: (n) => [`P${n}`, ...cells].join(), rows: 1 })), weight: 4 },
  { arbitrary: aside.map((text): Line => ({ text: () => text, rows: 0 })), weight: 1 },
)
const file = fc.array(line, { minLength: 1, maxLength: 120 }).filter((lines) => lines.some(({ rows }) => rows === 1))
const written = (lines: Line[]) => lines.map(({ text }, i) => `${text(i)}\n`).join('')
const held = (lines: Line[]) => lines.filter(({ rows }) => rows === 1).length

describe('applied, failed and repeated rows add up to the rows of the file', () => {
  test('under the header of the file, with or without a line of units', { tags: ['long'] }, async () => {
    await fc.assert(
      fc.asyncProperty(file, fc.constantFrom('', '-,deg,deg,m\n'), async (lines, units) => {
        expect((await counted(`${HEADER}\n${units}${written(lines)}`)).rows).toBe(held(lines))
      }),
      { numRuns: 300 },
    )
  })

  test('under a given header, with or without a header in the file', async () => {
    await fc.assert(
      fc.asyncProperty(file, async (lines) => {
        expect((await counted(written(lines), { header: HEADER })).rows).toBe(held(lines))
      }),
      { numRuns: 300 },
    )
  })

  test('without a header, wherever the rows with errors are', { tags: ['long'] }, async () => {
    const sound = (n: number) => `P${n},3917${10 + n}.15,58200${10 + n}.96,74.2`
    const wrong = fc.constantFrom<(n: number) => string>(
      (n) => `P${n},abc,58200${10 + n}.96,74.2`,
      (n) => `P${n},391710.15,,n/a`,
      (n) => `P${n},,,74.25`,
    )
    const places = fc.array(fc.tuple(fc.nat(12), wrong), { maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(places, async (slips) => {
        const rows = Array.from({ length: 12 }, (_, n) => sound(n))
        for (const [at, write] of slips) rows.splice(at, 0, write(50 + at))
        const text = rows.map((row, i) => row.replace(/^P\d+/, `P${i}`)).join('\n')
        expect((await counted(`${text}\n`, { crs: 'EPSG:25833' })).rows).toBe(rows.length)
      }),
      { numRuns: 200 },
    )
  })
})

test.each(['name,lon,lat', 'lat,lon,name', 'name,h,lat,lon'])(
  'rows below another header line fail, up to the header of the file: %s',
  async (other) => {
    const text = `name,lat,lon\nA,52.52,13.405\n${other}\nB,13.406,52.53\nC,13.407,52.54\nname,lat,lon\nD,52.53,13.406\n`
    const { points, faulty } = await surveyOf(text)
    expect(points.map(({ title, latitude }) => [title, latitude])).toEqual([
      ['A', 52.52],
      ['D', 52.53],
    ])
    expect(faulty.map(({ line }) => line)).toEqual([3, 4, 5])
    expect(faulty[1]!.faults[0]!.message).toContain('below a second header line (line 3)')
  },
)

test('a header line of the same columns in other letters fails alone', async () => {
  const { points } = await surveyOf('name,lat,lon\nA,52.52,13.405\nNAME,LAT,LON\nB,52.53,13.406\n')
  expect(points.map(({ title }) => title)).toEqual(['A', 'B'])
})

test.each(['Legend,h,lat,lon', 'N,,E,', 'Corner,N,E,', 'see,lon,lat,remarks'])(
  'a remark with words of headers fails alone: %s',
  async (remark) => {
    const text = `name,lat,lon,h\nA,52.52,13.405,30\n${remark}\nB,52.53,13.406,31\n`
    const { points, faulty } = await surveyOf(text)
    expect(points.map(({ title }) => title)).toEqual(['A', 'B'])
    expect(faulty.map(({ line }) => line)).toEqual([3])
  },
)

test.each([
  ['name,E,N,z', 'Point,x,y,h'],
  ['name,lat,lon,h', 'id,Breite,Länge,Höhe'],
  ['Stn,E,N,Note', 'Stn,Ostwert,Nordwert,Note'],
])('a header line of other words for the same columns fails alone: %s, %s', async (header, other) => {
  const [x, y] = header.includes('lat') ? ['52.52', '13.405'] : ['391776.1', '5820072.9']
  const text = `${header}\nA,${x},${y},30\n${other}\nB,${x},${y},31\n`
  const { points, faulty } = await surveyOf(text, header.includes('lat') ? {} : { crs: 'EPSG:25833' })
  expect(points.map(({ title }) => title)).toEqual(['A', 'B'])
  expect(faulty.map(({ line }) => line)).toEqual([3])
})

test.each(['Stn,lon,lat,Note', 'Stn,lat,lon,z', 'Note,lat,lon,Stn'])(
  'rows below a header with its own words at other places fail: %s',
  async (other) => {
    const text = `Stn,lat,lon,Note\nA,52.52,13.405,30\n${other}\nB,13.406,52.53,31\nStn,LAT,LON,Note\nC,52.53,13.406,1\n`
    const { points } = await surveyOf(text)
    expect(points.map(({ title }) => title)).toEqual(['A', 'C'])
  },
)

test.each(['', 'n/a', 'NaN', 'null', '-', '*****'])(
  'a row whose northing, y or latitude is "%s" has no position, and is refused',
  async (cell) => {
    const grid = await surveyOf(`EPSG:32630\nName,easting,northing\nA,527461,5699707\nB,527501,${cell}\n`)
    const centre = await surveyOf(`EPSG:4978\nName,x,y,z\nA,3980000,-180000,4966000\nB,3980000,${cell},4966000\n`)
    const degrees = await surveyOf(`Name,lat,lon\nA,51.4,-2.6\nB,${cell},-2.6\n`)
    for (const { points, faulty } of [grid, centre, degrees]) {
      expect(points.map(({ title }) => title)).toEqual(['A'])
      expect(faulty).toMatchObject([{ row: 2, faults: [{ code: 'NOT_A_NUMBER' }] }])
    }
  },
)
