import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn, type User } from '../../../test/builders.ts'
import { type Answer, type Service, startService } from '../../../test/service.ts'
import { importsOn } from '../../../test/surveying/imports.ts'
import { distance } from '../../places/geodesy.ts'

let service: Service
let user: User
let imports: ReturnType<typeof importsOn>
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
  imports = importsOn(service, user)
})
afterAll(() => service.stop())

describe('importing survey points', () => {
  test('creates points with pins for valid rows, and reports invalid ones by row, line and column', async () => {
    const { record, report, gcps } = await imports.imported(
      'title;lat;lon;h;tag\nA;52,5;13,25;34,5;7\nB;91;13,25;1;8\nC;52,51;13,25;;\nD;x;13,25;1;51\n',
    )
    expect(record).toMatchObject({
      status: 'COMPLETED',
      fileName: 'marks.csv',
      rowCount: 4,
      processedRows: 2,
      userId: user.id,
      errorMessage: '2 of 4 rows failed; first: row 2 (line 3): latitude 91 is outside -90..90',
    })
    expect(report.summary).toEqual({ rows: 4, created: 2, updated: 0, unchanged: 0, failed: 2, warnings: 0 })
    expect(report.detected).toMatchObject({ delimiter: ';', decimal: ',', columns: { latitude: 'lat' } })
    expect(report.rows).toEqual([
      {
        row: 2,
        line: 3,
        title: 'B',
        status: 'failed',
        errors: [
          {
            code: 'LATITUDE_RANGE',
            message: 'latitude 91 is outside -90..90',
            path: ['rows', 2, 'lat'],
            column: 'lat',
            value: '91',
          },
        ],
      },
      {
        row: 4,
        line: 5,
        title: 'D',
        status: 'failed',
        errors: [
          {
            code: 'NOT_A_NUMBER',
            message: 'latitude "x" is not a number: write figures only, such as 12,5',
            path: ['rows', 4, 'lat'],
            column: 'lat',
            value: 'x',
          },
          {
            code: 'APRIL_TAG_RANGE',
            message: 'aprilTagId 51 is outside 0..50',
            path: ['rows', 4, 'tag'],
            column: 'tag',
            value: '51',
          },
        ],
      },
    ])
    expect(gcps).toMatchObject([
      {
        title: 'A',
        gcpType: 'SINGLE',
        altitude: 34.5,
        aprilTagId: 7,
        pin: {
          latitude: 52.5,
          longitude: 13.25,
          contentType: 'GCP',
          userId: user.id,
          geoPose: { position: { lat: 52.5, lon: 13.25, h: 34.5 } },
        },
      },
      { title: 'C', altitude: null, pin: { latitude: 52.51, geoPose: null } },
    ])
    const near = await service.anonymous.get('/api/location/pins?lat=52.5&lon=13.25&radius=0')
    expect(near.body.pins).toMatchObject([{ title: 'A', gcpId: gcps[0].id }])
  })

  test('updates nothing for a repeated file, and only the differences for a changed one', async () => {
    const first = await imports.imported(
      'title,lat,lon,h,notes\nA,10.5,20.5,1,one\nB,10.6,20.6,2,two\nC,10.7,20.7,3,three\n',
    )
    const again = await imports.imported(
      'title,lat,lon,h,notes\nA,10.5,20.5,1,one\nB,10.6,20.6,2,two\nC,10.7,20.7,3,three\n',
      first,
    )
    expect(again.report.summary).toMatchObject({ created: 0, updated: 0, unchanged: 3 })
    expect(again.record).toMatchObject({ rowCount: 3, processedRows: 3, errorMessage: null })
    expect(again.gcps).toEqual(first.gcps)

    const changed = await imports.imported(
      'title,lat,lon,h,notes\n a ,10.5,20.5,1,one\nB,10.65,20.6,2,\nC,10.7,20.7,3,drei\nD,10.8,20.8,4,four\n',
      first,
    )
    expect(changed.report.summary).toMatchObject({ created: 1, updated: 3, unchanged: 0 })
    const facts = changed.gcps.map((gcp: Answer['body']) => [
      gcp.title,
      gcp.description,
      gcp.pin.latitude,
      gcp.pin.geoPose.position.lat,
    ])
    expect(facts).toEqual([
      ['a', 'one', 10.5, 10.5],
      ['B', 'two', 10.65, 10.65],
      ['C', 'drei', 10.7, 10.7],
      ['D', 'four', 10.8, 10.8],
    ])
  })

  test('refuses a tag that a nearby point in the tables or an earlier row has', async () => {
    const zoneId = await imports.zone()
    await user.post('/api/gcp', {
      title: 'post',
      gcpType: 'SINGLE',
      aprilTagId: 20,
      geoPose: { position: { lat: 30, lon: 40, h: 0 }, angles: { yaw: 0, pitch: 0, roll: 0 } },
    })
    const { report, gcps } = await imports.imported(
      'title,lat,lon,tag\nA,30.0001,40,20\nB,30.0001,40,21\nC,30.0002,40,21\nD,30.01,40,20\n',
      { zoneId },
    )
    expect(gcps.map(({ title }: { title: string }) => title)).toEqual(['B', 'D'])
    expect(report.rows.map((row: Answer['body']) => [row.row, row.errors[0].code])).toEqual([
      [1, 'APRIL_TAG_CONFLICT'],
      [3, 'APRIL_TAG_CONFLICT'],
    ])
    expect(report.rows[0].errors[0]).toMatchObject({
      column: 'tag',
      path: ['rows', 1, 'tag'],
      value: '20',
      message: expect.stringContaining('write a tag that no point within 100 m has, or none'),
    })
    // The repeated file matches its own points, which are no conflict.
    expect(
      (await imports.imported('title,lat,lon,tag\nB,30.0001,40,21\nD,30.01,40,20\n', { zoneId })).report.summary,
    ).toMatchObject({ unchanged: 2, failed: 0 })
    // A file without the tag column may not move a tagged point next to another one with the tag.
    expect((await imports.imported('title,lat,lon\nD,30.0001,40\n', { zoneId })).report.summary).toMatchObject({
      updated: 0,
      failed: 1,
    })
  })

  test('never leaves two nearby points with one tag, with any concurrent changes', { tags: ['long'] }, async () => {
    const zoneId = await imports.zone()
    const at = (row: number) => `T${row},${(-20 + row * 0.0005).toFixed(4)},50`
    const file = (tag: string) =>
      `title,lat,lon,tag\n${Array.from({ length: 30 }, (_, row) => `${at(row)},${tag}`).join('\n')}\n`
    const { gcps } = await imports.imported(file(''), { zoneId })
    const pose = (row: number) => ({
      position: { lat: -20 + row * 0.0005, lon: 50, h: 0 },
      angles: { yaw: 0, pitch: 0, roll: 0 },
    })
    const change = ({ id, title }: { id: number; title: string }, round: number) =>
      user.put(`/api/gcp/${id}`, { title, aprilTagId: [3, 4, null][round % 3], geoPose: pose(round % 30) })
    const key = await imports.stored(file('3'))
    const [{ body }] = await Promise.all([
      imports.send(zoneId, key),
      ...gcps.flatMap((gcp: { id: number; title: string }, i: number) =>
        [0, 1, 2, 3].map((round) => change(gcp, i * 7 + round)),
      ),
    ])
    await imports.ended(body.id)
    const carried = (await imports.gcps(zoneId)).filter(({ aprilTagId }: Answer['body']) => aprilTagId !== null)
    expect(carried.length).toBeGreaterThan(0)
    for (const a of carried) {
      for (const b of carried) {
        if (a.id >= b.id || a.aprilTagId !== b.aprilTagId) continue
        expect(distance(a.pin, b.pin)).toBeGreaterThan(100)
      }
    }
  })

  test('warns of yaw, pitch or roll without a height: a point without h stores no angles', async () => {
    const file = 'title,lat,lon,yaw,h\nA,1.5,2.5,90,\nB,1.6,2.5,90,7\nC,1.7,2.5,,\n'
    const { report, gcps } = await imports.imported(file)
    expect(report.rows).toEqual([
      expect.objectContaining({ row: 1, errors: [expect.objectContaining({ code: 'ORIENTATION_WITHOUT_HEIGHT' })] }),
    ])
    expect(gcps.map(({ pin }: Answer['body']) => pin.geoPose?.angles.yaw ?? null)).toEqual([null, 90, null])
  })

  test('uses the zone to detect the axis order, and warns of rows outside it', async () => {
    const ring = [
      [13, 52],
      [14, 52],
      [14, 53],
      [13, 53],
      [13, 52],
    ]
    const zoneId = await imports.zone({ boundary: { type: 'Polygon', coordinates: [ring] } })
    const { gcps, report } = await imports.imported('G1,13.5,52.5,30.5\nG2,13.6,52.6,31.5\n', { zoneId })
    expect(gcps.map((gcp: Answer['body']) => gcp.pin.latitude)).toEqual([52.5, 52.6])
    expect(report.rows).toMatchObject([
      { row: null, status: 'warning', errors: [{ code: 'HEIGHT_DATUM_UNKNOWN', path: [] }] },
    ])
    const off = await imports.imported('title,lat,lon\nG3,40.5,20.5\n', { zoneId })
    expect(off.report.rows).toMatchObject([{ row: 1, status: 'warning', errors: [{ code: 'OUTSIDE_ZONE' }] }])
    expect(off.record).toMatchObject({ status: 'COMPLETED', errorMessage: null, processedRows: 1 })
  })

  test('accepts a reference system in the request, if it can be converted to WGS84', { tags: ['long'] }, async () => {
    const content = 'Bern,2600000,1200000,550.5\nNear,2600100,1200100,551\n'
    expect((await imports.imported(content)).record).toMatchObject({
      status: 'FAILED',
      errorMessage: expect.stringContaining('reference system'),
    })
    const { gcps, report } = await imports.imported(content, { query: '?crs=EPSG:2056' })
    expect(report.detected.crs).toBe('EPSG:2056')
    expect(gcps[0].pin.latitude).toBeCloseTo(46.951082877, 6)
    for (const crs of ['EPSG:2329', 'EPSG:1234', 'somewhere']) {
      const { status, body } = await imports.send(await imports.zone(), await imports.stored(content), `?crs=${crs}`)
      expect([status, body.error[0].path]).toEqual([400, ['crs']])
    }
  })

  test('fails a file that cannot be read, with the reason', async () => {
    expect((await imports.imported('name,easting,northing\nA,1000,2000\n')).record).toMatchObject({
      status: 'FAILED',
      processedRows: 0,
      errorMessage: expect.stringContaining('names no reference system'),
    })
    const { record, gcps } = await imports.imported('title,lat,lon\nA,1.5,2.5\n"B,1.5,2.5\n')
    expect(record).toMatchObject({
      status: 'FAILED',
      processedRows: 1,
      errorMessage: expect.stringMatching(/^line 3: a quote/),
    })
    expect(gcps).toHaveLength(1)
  })

  test('truncates texts in findings at whole characters, and fails invalid rows alone', async () => {
    const rows = [
      `${'a'.repeat(59)}😀,1.5,2.5,,`,
      `${'a'.repeat(59)}😀,1.6,2.5,,`,
      `${'b'.repeat(254)}😀😀,91,2.5,,`,
      `tagged,1.5,2.5,${'c'.repeat(199)}😀,`,
      `typed,1.5,2.5,,${'d'.repeat(59)}😀${'d'.repeat(5000)}`,
      'good,1.5,2.5,,',
    ]
    const { record, report, gcps } = await imports.imported(`title,lat,lon,tag,gcptype\n${rows.join('\n')}\n`)
    expect(record).toMatchObject({ status: 'COMPLETED', rowCount: 6, processedRows: 2 })
    expect(gcps.map(({ title }: { title: string }) => title)).toEqual([`${'a'.repeat(59)}😀`, 'good'])
    const [twice, long, tagged, typed] = report.rows
    expect(twice.errors[0].message).toBe(`title "${'a'.repeat(59)}" is already used in row 1`)
    expect(long.title).toBe('b'.repeat(254))
    expect(tagged.errors[0].value).toBe('c'.repeat(199))
    const message = `gcpType "${'D'.repeat(59)}" is neither SINGLE nor MULTI`
    expect(typed.errors[0]).toMatchObject({ code: 'BAD_GCP_TYPE', message })
  })

  test('quotes only a little of a refused file in its message', async () => {
    const { record } = await imports.imported(
      `${Array(4)
        .fill(`${'x'.repeat(59)}😀${'x'.repeat(3000)}`)
        .join(',')}\n`,
    )
    expect(record.errorMessage).toMatch(
      `line 1: no latitude and longitude, or easting and northing, among the columns ${Array(4).fill('x'.repeat(59)).join(', ')}`,
    )
    expect(record.errorMessage).not.toContain('x'.repeat(60))
    const system = await imports.imported(`title,easting,northing,crs\nA,1,2,${'y'.repeat(5000)}\n`)
    expect(system.report.rows[0].errors[0].message).toContain(`"${'y'.repeat(80)}" is not`)
  })
})
