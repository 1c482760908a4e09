import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openImports } from '../../../test/surveying/imports.ts'

let opened: Awaited<ReturnType<typeof openImports>>
beforeAll(async () => {
  opened = await openImports()
})
afterAll(() => opened.close())

const imported = (content: string, query = '') => opened.imports.imported(content, { query })

describe('two reference systems', () => {
  const rows = 'A,391772.721,5820083.431\n'

  test.each(['E (EPSG:25833),N (EPSG:25833)', 'X_UTM33N,Y_UTM33N', 'Easting_UTM33N,Northing_UTM33N'])(
    'that of the headers goes before crs=: %s',
    async (header) => {
      const { gcps } = await imported(`Name,${header}\n${rows}`, '?crs=EPSG:25832')
      expect(gcps[0].pin.longitude).toBeCloseTo(13.4049, 4)
    },
  )

  test('that of a word in the headers goes before crs= if the points are in its area', async () => {
    const { report } = await imported('Name,E (LV95),N (LV95)\nA,2600000.5,1200000.25\n', '?crs=EPSG:25832')
    expect(report.detected.crs).toBe('EPSG:2056')
  })

  test('that of the request is used if the one of the headers has no grid', async () => {
    const { report } = await imported(`Name,X (EPSG:4326),Y (EPSG:4326)\n${rows}`, '?crs=EPSG:25833')
    expect(report.detected.crs).toBe('EPSG:25833')
  })

  test.each([
    'Source CRS: EPSG:25832\nTarget CRS: EPSG:25833',
    '# transformed from EPSG:25832 to EPSG:25833',
    '# transformed from EPSG 25832 to EPSG 25833',
    'EPSG:25832\n# CRS: EPSG:25833',
  ])('of grid coordinates are refused: %s', async (lines) => {
    const { record } = await imported(`${lines}\nName,Easting,Northing\n${rows}`, '')
    expect(record.errorMessage).toMatch(/name EPSG:25832 and EPSG:25833: leave only/)
  })

  test.each([
    ['Koordinatensystem: Gauß-Krüger Zone 4\nSystem: ETRS89 / UTM zone 33N', 'EPSG:25833 and "Gauß-Kruger Zone 4"'],
    ['EPSG:25833\nSource CRS: DHDN / GK4', 'EPSG:25833 and EPSG:31468 (DHDN / GK4)'],
  ])('of which one has a name only are refused too: %s', async (lines, said) => {
    const { record } = await imported(`${lines}\nName,Easting,Northing\n${rows}`, '')
    expect(record.errorMessage).toContain(`name ${said}: leave only the name`)
  })

  test('are a zone of UTM and another datum than WGS 84 too', async () => {
    const { record } = await imported(`Datum: NAD27 CONUS\nGrid: UTM 17N\nName,Easting,Northing\n${rows}`, '')
    expect(record.errorMessage).toContain('as in NAD27 / UTM zone 17N')
  })

  test('are not named by a datum, a projection, a transformation, a device or another name of the same', async () => {
    const lines =
      'Datum: Potsdam 1950\nProjection: Transverse Mercator\n# transformed from DHDN / GK4 to ETRS89 / UTM zone 33N\nSystem: Leica GS18\nGrid: UTM 33\nZone: UTM 33N'
    const { gcps } = await imported(`System: ETRS89 / UTM zone 33N\n${lines}\nName,Easting,Northing\n${rows}`, '')
    expect(gcps[0].pin.longitude).toBeCloseTo(13.4049, 4)
  })

  test.each(['EPSG:25833\nHeights: EPSG:7837', '# EPSG:25833\nEPSG:25833', 'Datum: EPSG:4258\nEPSG:25833'])(
    'of which one is no grid, or the same, are read: %s',
    async (lines) => {
      const { gcps } = await imported(`${lines}\nName,Easting,Northing\n${rows}`, '')
      expect(gcps[0].pin.longitude).toBeCloseTo(13.4049, 4)
    },
  )

  test('rows below a line of another system fail, up to a line of the first', async () => {
    const row = (title: string) => `${title},391772.721,5820083.431\n`
    const lines = [
      ...['# ETRS89 / UTM zone 33N', '# Grid: UTM 33', '# Zone: Nordfeld 3', '# CRS: EPSG:25832'],
      ...['# Datum: ETRS89', 'System: ETRS89 / UTM zone 33N', 'Koordinatensystem: Gauß-Krüger Zone 4', 'EPSG:25833'],
      ...[
        'Name,E (EPSG:25832),N (EPSG:25832)',
        'Name,E (EPSG:25833),N (EPSG:25833)',
        'PROJCS["ETRS89 / UTM zone 32N",',
      ],
    ]
    const table = lines.map((line, i) => `${line}\n${row(String.fromCharCode(65 + i))}`).join('')
    const { report, gcps } = await imported(`EPSG:25833\nName,Easting,Northing\n${table}`)
    expect(gcps.map(({ title }: { title: string }) => title).sort()).toEqual(['A', 'B', 'C', 'F', 'H', 'J'])
    const reasons = report.rows.flatMap(({ errors }: { errors: { code: string; message: string }[] }) =>
      errors.flatMap(({ code, message }) => (code === 'UNKNOWN_CRS' ? [message] : [])),
    )
    expect([...new Set(reasons)]).toEqual([
      expect.stringMatching(/line 9, which names EPSG:25832, but .* in EPSG:25833: import the rows below it as a file/),
      expect.stringContaining('line 15, which names "Gauß-Kruger Zone 4",'),
      expect.stringContaining('line 19, which names EPSG:25832,'),
      expect.stringContaining('line 23, which names PROJCS'),
    ])
  })
})
