import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openImports } from '../../../test/surveying/imports.ts'

let opened: Awaited<ReturnType<typeof openImports>>
beforeAll(async () => {
  opened = await openImports()
})
afterAll(() => opened.close())

const imported = (text: string, query = '') => opened.imports.imported(text, { query: `?dryRun=true&${query}` })
const GRID = 'Name,Easting,Northing\nP1,391776.155,5820072.962\n'

describe('a reference system as people write it', () => {
  test.each([
    ['Coordinate system: UTM84-33N', GRID, 'EPSG:32633'],
    ['ETRS89.UTM-33N', GRID, 'EPSG:25833'],
    [
      'Koordinatensystem: DHDN / Gauß-Krüger Zone 4',
      'Pkt,Rechtswert,Hochwert\nA,4468298.15,5333000.25\n',
      'EPSG:31468',
    ],
    ['座標系：JGD2011 平面直角座標系 第9系', '点名,X座標,Y座標\nA,-35363.225,-6630.513\n', 'EPSG:6677'],
    ['測地系：世界測地系(測地成果2011) 平面直角座標系IX系', '点名,X座標,Y座標\nA,-35363.225,-6630.513\n', 'EPSG:6677'],
    ['座標系：日本測地系2011 平面直角座標系 第9系', '点名,X座標,Y座標\nA,-35363.225,-6630.513\n', 'EPSG:6677'],
    ['Koordinatsystem: EUREF89 UTM sone 33, NN2000', GRID, 'EPSG:25833'],
    ['Koordinatsystem i plan: SWEREF 99 18 00', 'Punkt,N,E\nA,6579821.5,153854.2\n', 'EPSG:3011'],
    ['Coordinaatsysteem: RD/NAP', 'Naam,X,Y\nA,121000.5,487000.25\n', 'EPSG:28992'],
    ['CRS: L-EST97', 'Nimi,N,E\nA,6588944.5,542747.25\n', 'EPSG:3301'],
    ['Sistem de coordonate: Stereo 70', 'Nr,X (N),Y (E)\nA,326047.96,587123.15\n', 'EPSG:3844'],
  ])('%s is read', async (line, rows, crs) => {
    const { report } = await imported(`${line}\n${rows}`)
    expect(report.detected?.crs).toBe(crs)
    expect(report.summary).toMatchObject({ created: 1, failed: 0 })
  })

  test.each([
    [
      'Koordinatensystem: GK4',
      'Pkt,Rechtswert,Hochwert\nA,4468298.15,5333000.25\n',
      ['EPSG:31468 (DHDN / 3-degree Gauss-Kruger zone 4)', 'crs=EPSG:31468'],
    ],
    ['Lo29', 'Name,Y,X\nA,94854.2,2899163.9\n', ['EPSG:2053 (Hartebeesthoek94', 'EPSG:22289 (Cape']],
    [
      'Układ współrzędnych: PL-2000',
      'Nr,X,Y\n1,5788541.25,7500683.15\n',
      ['may be EPSG:2178 (ETRF2000-PL / CS2000/21): put a line such as EPSG:2178'],
    ],
    ['Bezugssystem: MGI', 'Pkt,Y,X\nA,2400.5,340100.25\n', ['EPSG:31256 (MGI / Austria GK East)']],
    [
      'Souřadnicový systém: S-JTSK; Výškový systém: Bpv',
      'ČB,Y,X\nA,743100.5,1043200.25\n',
      ['put a line such as EPSG:5514'],
    ],
    ['Zone: UTM 33', GRID, ['EPSG:25833 (ETRS89 / UTM zone 33N)', 'EPSG:32633 (WGS 84 / UTM zone 33N)']],
    ['ETRS89 / UTM', GRID, ['may be EPSG:', '(ETRS89 / UTM zone ']],
  ])('%s is not one: the refusal lists those that it may be', async (line, rows, said) => {
    const { record } = await imported(`${line}\n${rows}`)
    expect(record.status).toBe('FAILED')
    for (const text of said) expect(record.errorMessage).toContain(text)
  })

  test.each([
    ['GK3', /EPSG:31467 \(DHDN .*or one of \d+ more/],
    ['MGA2020', /EPSG:7846 \(GDA2020 \/ MGA zone 46\)/],
    ['Qatar National Grid', /EPSG:2932 .* or EPSG:28600 /],
  ])('crs=%s is refused with codes that it may be', async (name, said) => {
    const zoneId = await opened.imports.zone()
    const key = await opened.imports.stored(GRID)
    const { status, body } = await opened.imports.send(zoneId, key, `?crs=${encodeURIComponent(name)}`)
    expect(status).toBe(400)
    expect(body.error[0].message).toMatch(said)
  })

  test('crs= may have heights by name after a plus, and those that are not known are refused', async () => {
    const { report } = await imported(GRID, 'crs=ETRS89 / UTM zone 33N + DHHN2016 height')
    expect(report.detected.crs).toBe('EPSG:25833+7837')
    const key = await opened.imports.stored(GRID)
    const { body } = await opened.imports.send(await opened.imports.zone(), key, '?crs=EPSG:25833 + Foo height')
    expect(body.error[0].message).toMatch(/names heights \(Foo height\) .* as in EPSG:25833\+7837/)
  })

  test.each(['PL_EUREF89 / 2000', 'AT_MGI / AT_TM', 'TR_TUREF / TR_TM', 'DE_ETRS89 / UTM'])(
    'crs=%s, an alias of several zones in the register, is none of them',
    async (name) => {
      const zoneId = await opened.imports.zone()
      const key = await opened.imports.stored(GRID)
      expect(await opened.imports.send(zoneId, key, `?crs=${encodeURIComponent(name)}`)).toMatchObject({ status: 400 })
    },
  )
})

describe('a datum of satellite geodesy without a known transformation', () => {
  const rows = 'Name,Easting,Northing\nA,448713.25,4417642.96\n'

  test('is refused with its real accuracy, and read if the request accepts that', async () => {
    const zoneId = await opened.imports.zone()
    const { body } = await opened.imports.send(zoneId, await opened.imports.stored(rows), '?crs=EPSG:4548')
    expect(body.error[0].message).toMatch(/accurate to some 5 m.*maxError=5$/)
    const { report } = await imported(rows, 'crs=EPSG:4548&maxError=5')
    expect(report.summary).toMatchObject({ created: 1, failed: 0 })
    expect(report.rows[0].errors[0]).toMatchObject({
      code: 'CRS_ACCURACY',
      message: expect.stringContaining('accurate to some 5 m'),
    })
  })

  test.each(['EPSG:2329', 'ESRI:53074'])('is not one on an ellipsoid of its own: %s', async (crs) => {
    const zoneId = await opened.imports.zone()
    const key = await opened.imports.stored(rows)
    const { body } = await opened.imports.send(zoneId, key, `?crs=${crs}&maxError=5`)
    expect(body.error[0].message).toContain('maxError=1000')
  })
})
