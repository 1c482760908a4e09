import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'
import { readPrelude } from './prelude.ts'

const TABLE = 'name,E,N\nA,391776.15,5820072.96\nB,391786.15,5820082.96\n'
/** A grid defined in the file: its shift differs from the register's for the code beside it. */
const WKT = [
  'PROJCS["Own grid",',
  '  GEOGCS["Own [datum]",',
  '    DATUM["Own",SPHEROID["Bessel 1841",6377397.155,299.1528128],',
  '      TOWGS84[565.4,50.3,465.6,-0.4,0.35,-1.9,4.1]],',
  '    PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],',
  '  PROJECTION["Transverse_Mercator"],',
  '  PARAMETER["central_meridian",15],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],',
  '  UNIT["metre",1],',
  '  AUTHORITY["EPSG","28992"]]',
]
const flat = (lines: string[]) => lines.map((line) => line.trim()).join('')

describe('a reference system that the file defines', () => {
  test.each([
    ['in one line', [flat(WKT)]],
    ['over several lines', WKT],
    ['over several lines of comments', WKT.map((line) => `# ${line}`)],
    ['after a label', [`# CoordinateSystem: ${flat(WKT)}`]],
    ['in a cell, its quotes doubled', [`"${flat(WKT).replaceAll('"', '""')}",,`]],
  ])('is used as written, %s, with its shift instead of that of its code', (_, lines) => {
    const { crs, lines: count } = readPrelude(`${lines.join('\n')}\n${TABLE}`)
    expect(crs?.replaceAll(/\s/g, '')).toBe(flat(WKT).replaceAll(/\s/g, ''))
    expect(count).toBe(lines.length)
  })

  test('may be PROJJSON in comments', () => {
    const system = {
      $schema: 'https://proj.org/schemas/v0.7/projjson.schema.json',
      type: 'ProjectedCRS',
      name: 'Own } grid',
      base_crs: { name: 'WGS 84' },
      id: { authority: 'EPSG', code: 25833 },
    }
    for (const json of [JSON.stringify(system), JSON.stringify(system, null, 2)]) {
      const { crs } = readPrelude(`${json.replaceAll(/^/gm, '# ')}\n${TABLE}`)
      expect(JSON.parse(crs!)).toEqual(system)
    }
  })

  test('may be a PROJ string', () => {
    const text = '+proj=tmerc +lon_0=15 +ellps=bessel +towgs84=565.4,50.3,465.6,-0.4,0.35,-1.9,4.1 +units=m'
    expect(readPrelude(`${text}\n${TABLE}`).crs).toBe(text)
  })

  test('keeps all rows if a bracket is never closed', async () => {
    const { points } = await surveyOf(`# PROJCS["Own grid",\n${TABLE}`, { crs: 'EPSG:25833' })
    expect(points).toHaveLength(2)
  })

  test('may be WGS84 as WKT for the datum, with the projection in another line', async () => {
    const datum = 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],AUTHORITY["EPSG","4326"]]'
    const { detected } = await surveyOf(`# ${datum}\n# WGS 84 / UTM zone 33N\n${TABLE}`)
    expect(detected.crs).toBe('EPSG:32633')
  })
})

describe('the delimiter of a header line from the request', () => {
  const places = (content: string, header: string) =>
    surveyOf(content, { header }).then(({ detected, points, faulty }) => {
      expect(faulty).toEqual([])
      return [detected.delimiter, ...points.map(({ title, latitude, longitude }) => [title, latitude, longitude])]
    })

  test.each([
    ['its own splits the rows, spaces would too', 'Old,52.5 ,13.4 \nNew,52.6 ,13.5 \n', 'name,lat,lon', ','],
    ['tabs', 'A b\t52.5\t13.4\nC d\t52.6\t13.5\n', 'name\tlat\tlon', '\t'],
    ['semicolons above rows of semicolons and commas', 'A;52,5;13,4\nB;52,6;13,5\n', 'name;lat;lon', ';'],
    ['commas above rows of semicolons', 'A;52,5;13,4\nB;52,6;13,5\n', 'name,lat,lon', ';'],
    ['spaces above rows of commas', 'A,52.5,13.4\nB,52.6,13.5\n', 'name lat lon', ','],
    ['commas above rows of spaces', 'A 52.5 13.4\nB 52.6 13.5\n', 'name,lat,lon', 'whitespace'],
    ['semicolons above rows of tabs', 'A\t52.5\t13.4\nB\t52.6\t13.5\n', 'name;lat;lon', '\t'],
  ])('%s: reads the rows', async (_, content, header, delimiter) => {
    const [found, one, other] = await places(content, header)
    expect(found).toBe(delimiter)
    expect([one, other]).toMatchObject([
      [expect.anything(), 52.5, 13.4],
      [expect.anything(), 52.6, 13.5],
    ])
  })

  test('decides where the file alone would be split differently', async () => {
    const rows = 'a|1|2|3|4|5;52.5;13.4\nb|1|2|3|4|5;52.6;13.5\n'
    expect(await places(rows, 'name;lat;lon')).toEqual([';', ['a|1|2|3|4|5', 52.5, 13.4], ['b|1|2|3|4|5', 52.6, 13.5]])
  })
})

describe('a line of titles above the header', () => {
  test('adds no columns where the rows have none', async () => {
    const text = 'Report,Site,Operator,Company,Elevation\nname,lat,lon\nA,52.5,13.4\nB,52.6,13.5\n'
    const { points, faulty } = await surveyOf(text)
    expect(faulty).toEqual([])
    expect(points).toMatchObject([{ title: 'A', altitude: null }, { title: 'B' }])
  })

  test('completes a shorter header with merged cells', async () => {
    const text = 'Point,Position,,Height\nname,lat,lon\nA,52.5,13.4,34\nB,52.6,13.5,35\n'
    const { points, faulty } = await surveyOf(text)
    expect(faulty).toEqual([])
    expect(points).toMatchObject([{ title: 'A', latitude: 52.5, altitude: 34 }, { title: 'B' }])
  })

  test('is no header because of the word Position, if the line below names both coordinates', async () => {
    const text =
      'Point,Coordinates,,Height\nName,Easting,Northing,\n,m,m,m\nA,391776.15,5820072.96,34\nB,391777.15,5820072.96,35\n'
    const { points, faulty } = await surveyOf(text, { crs: 'EPSG:25833' })
    expect(faulty).toEqual([])
    expect(points.map(({ title, altitude }) => [title, altitude])).toEqual([
      ['A', 34],
      ['B', 35],
    ])
  })
})

test.each(['', '現場の点\n'])('full-width commas separate fields, also below a title: %j', async (title) => {
  const { detected, points } = await surveyOf(
    `${title}点名，緯度，経度，h\nA，52.52，13.405，34\nB，52.53，13.405，35\n`,
  )
  expect(detected.delimiter).toBe('，')
  expect(points).toMatchObject([{ title: 'A', latitude: 52.52, h: 34 }, { title: 'B' }])
})
