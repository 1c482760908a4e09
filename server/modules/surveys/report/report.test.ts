import { parse } from 'csv-parse/sync'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn, type User } from '../../../test/builders.ts'
import { nextOf } from '../../../test/scoring/scoring-steps.ts'
import { type Answer, type Caller, type Service, startService } from '../../../test/service.ts'
import { importsOn } from '../../../test/surveying/imports.ts'

let service: Service
let user: User
let imports: ReturnType<typeof importsOn>
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
  imports = importsOn(service, user)
})
afterAll(() => service.stop())

describe('import reports', () => {
  test('keep both of two warnings of the whole file that have one code', async () => {
    const content = 'title,latitude,Lat Dir,lon,Lon Dir,lat\nA,33.4,S,70.6,W,33.41\nB,33.5,S,70.7,W,33.51\n'
    const { report } = await imports.imported(content, { query: '?dryRun=true' })
    expect(report.rows).toMatchObject([
      { row: null, errors: [{ code: 'COLUMNS_ASSUMED', message: expect.stringContaining('the hemisphere in') }] },
      { row: null, errors: [{ code: 'COLUMNS_ASSUMED', message: expect.stringContaining('both the latitude') }] },
    ])
    expect(report.summary.warnings).toBe(2)
  })

  test('dryRun reports and writes nothing; onError=abort imports nothing if a row is invalid', {
    tags: ['long'],
  }, async () => {
    const dry = await imports.imported('title,lat,lon\nA,1.5,2.5\nB,91,2.5\n', { query: '?dryRun=true' })
    expect(dry.record).toMatchObject({ status: 'COMPLETED', rowCount: 2 })
    expect(dry.report.summary).toMatchObject({ created: 1, failed: 1 })
    expect(dry.gcps).toEqual([])
    const abort = await imports.imported('title,lat,lon\nA,1.5,2.5\nB,91,2.5\n', { query: '?onError=abort' })
    expect(abort.record).toMatchObject({
      status: 'FAILED',
      rowCount: 2,
      processedRows: 0,
      errorMessage: expect.stringMatching(/^Nothing was imported: 1 of 2 rows failed/),
    })
    expect(abort.report.summary).toMatchObject({ rows: 2, created: 0, updated: 0, unchanged: 0, failed: 1 })
    expect(abort.gcps).toEqual([])
    expect((await imports.imported('title,lat,lon\nA,1.5,2.5\n', { query: '?onError=abort' })).gcps).toHaveLength(1)
  })

  test('a dry run lists its points and which titles exist; the import itself stores no such list', {
    tags: ['long'],
  }, async () => {
    const { zoneId } = await imports.imported('title,lat,lon\nA,1.5,2.5\n')
    const content = 'title,lat,lon,tag\nA,1.5,2.5,\nB,1.6,2.5,7\nC,1.6001,2.5,7\nD,91,2.5,\n'
    const dry = await imports.imported(content, { zoneId, query: '?dryRun=true' })
    expect(dry.report.points).toEqual([
      { row: 1, title: 'A', latitude: 1.5, longitude: 2.5, status: 'known' },
      { row: 2, title: 'B', latitude: 1.6, longitude: 2.5, status: 'new' },
      { row: 3, title: 'C', latitude: 1.6001, longitude: 2.5, status: 'failed' },
    ])
    const { report } = await imports.imported(content, { zoneId })
    expect(report.points).toEqual([])
    const many = Array.from({ length: 2500 }, (_, i) => `R${i},${(i * 0.01).toFixed(2)},70`).join('\n')
    const large = await imports.imported(`title,lat,lon\n${many}\n`, { query: '?dryRun=true' })
    expect(large.report.points).toHaveLength(2000)
  })

  test('a header line in the request replaces that of the file, or is added to a file without one', {
    tags: ['long'],
  }, async () => {
    const swapped = await imports.imported('name,lon,lat\nA,48.25,16.5\nB,48.26,16.6\n', {
      query: '?header=name,lat,lon',
    })
    expect(swapped.record).toMatchObject({ status: 'COMPLETED', header: 'name,lat,lon', dryRun: false })
    expect(swapped.gcps[0]).toMatchObject({ title: 'A', pin: { latitude: 48.25, longitude: 16.5 } })
    const below = await imports.imported('EPSG:25833\n\nlabel,N,E\nA,391776.15,5820072.96\nB,392080.46,5820156.56\n', {
      query: '?header=label,E,N',
    })
    expect(below.report).toMatchObject({ detected: { crs: 'EPSG:25833' }, summary: { created: 2, failed: 0 } })
    const bare = 'A;48,25;16,5;brass\nB;48,26;16,6;brass\n'
    const refused = await imports.imported(bare, { query: '?dryRun=true' })
    expect(refused.record.status).toBe('FAILED')
    expect(refused.report.detected).toMatchObject({
      header: false,
      columns: {},
      fields: [1, 2, 3, 4].map((n) => ({ name: `column ${n}`, role: null })),
      cells: [
        ['A', '48,25', '16,5', 'brass'],
        ['B', '48,26', '16,6', 'brass'],
      ],
    })
    const { report, gcps } = await imports.imported(bare, { query: '?header=title;lat;lon;foo' })
    expect(gcps).toHaveLength(2)
    expect(report.detected.fields).toEqual([
      { name: 'title', role: 'title' },
      { name: 'lat', role: 'latitude' },
      { name: 'lon', role: 'longitude' },
      { name: 'foo', role: null },
    ])
  })

  test('show the content of the file only to its owner, the owner of the zone and ops', async () => {
    const given = buildersOn(service)
    const [sender, other] = [await given.user({ roles: ['ops'] }), await given.user()]
    const zoneId = await imports.zone()
    const senders = importsOn(service, sender)
    const key = await senders.stored('name,lat,lon\nHidden,1.5,2.5\nBad,91,2.5\n')
    const { body } = await senders.send(zoneId, key, '?dryRun=true&header=name,lat,lon')
    await senders.ended(body.id)
    // The zone and the file have different owners.
    const sql = new pg.Client({ connectionString: service.databaseUrl })
    await sql.connect()
    const plain = await given.user()
    await sql.query('update csv_uploads set user_id = $2 where id = $1', [body.id, plain.id])
    await sql.end()
    const at = `/api/gcp/upload/${body.id}`
    const readReport = async (caller: Caller) => {
      const { detected, points, summary, rows } = (await caller.get(`${at}/report`)).body
      expect([summary.rows, rows.length, detected.fields.length]).toEqual([2, 1, 3])
      const { csvFiles } = (await caller.get(`/api/gcp/zone/${zoneId}`)).body
      const { header } = (await caller.get(at)).body
      expect(csvFiles[0].header).toBe(header)
      return { points: points.length, cells: detected.cells.length, header }
    }
    for (const caller of [user, plain, sender])
      expect(await readReport(caller)).toEqual({ points: 1, cells: 2, header: 'name,lat,lon' })
    for (const caller of [other, service.anonymous])
      expect(await readReport(caller)).toEqual({ points: 0, cells: 0, header: null })
  })

  test('count the causes, and list the rows of each in pages in file order', async () => {
    // Every third row has an invalid latitude, every fifth an invalid tag, every fifteenth both.
    const lines = Array.from({ length: 60 }, (_, i) => `P${i},${i % 3 ? 1.5 : 91},2.5,${i % 5 ? '' : 77}`)
    const content = `title,lat,lon,tag\n${lines.join('\n')}\n`
    const { record, report } = await imports.imported(content, { query: '?dryRun=true' })
    const at = `/api/gcp/upload/${record.id}`
    expect(report.causes).toEqual([
      { status: 'failed', code: 'LATITUDE_RANGE', count: 20 },
      { status: 'failed', code: 'APRIL_TAG_RANGE', count: 12 },
    ])
    const brief = (await user.get(`${at}/report?rows=file`)).body
    expect(brief).toEqual({ ...report, rows: report.rows.filter(({ row }: { row: number | null }) => row === null) })

    const listed = async (query: string) => {
      const rows: { row: number }[] = []
      let path: string | undefined = `${at}/findings?${query}`
      while (path) {
        const { body, headers }: Answer = await user.get(path)
        rows.push(...body.findings)
        path = nextOf(headers)
      }
      return rows
    }
    const told = report.rows.filter(({ row }: { row: number | null }) => row !== null)
    for (const limit of [7, 28, 1000]) expect(await listed(`limit=${limit}`), `limit ${limit}`).toEqual(told)
    const rowsOf = async (query: string) => (await listed(query)).map(({ row }) => row)
    const every = (n: number) => Array.from({ length: 60 / n }, (_, i) => i * n + 1)
    expect(await rowsOf('cause=LATITUDE_RANGE&limit=3')).toEqual(every(3))
    expect(await rowsOf('cause=APRIL_TAG_RANGE&status=failed')).toEqual(every(5))
    expect(await rowsOf('status=warning')).toEqual([])
    expect(await rowsOf('cause=NO_SUCH')).toEqual([])
    const { headers } = await user.get(`${at}/findings?cause=APRIL_TAG_RANGE&limit=1`)
    expect(headers.get('x-total-count')).toBe('12')
    // The other is [3000000000]: more than any row has.
    for (const cursor of ['nonsense', 'WzMwMDAwMDAwMDBd'])
      expect(await user.get(`${at}/findings?cursor=${cursor}`)).toMatchObject({ status: 400 })
  })

  test('list the error of the whole file first, with its line and the rows before it', async () => {
    const { record, report } = await imports.imported('title,lat,lon\nA,1.5,2.5\nB,91,2.5\n"C,1.5,2.5\n')
    expect(record.status).toBe('FAILED')
    expect(report.summary).toMatchObject({ rows: 2, created: 1, failed: 1, warnings: 0 })
    expect(report.rows).toMatchObject([
      {
        row: null,
        line: 4,
        title: null,
        status: 'failed',
        errors: [{ code: 'UNCLOSED_QUOTE', path: [], column: null }],
      },
      { row: 2, line: 3, title: 'B', status: 'failed', errors: [{ code: 'LATITUDE_RANGE', column: 'lat' }] },
    ])
    expect(record.errorMessage).toBe(`line 4: ${report.rows[0].errors[0].message}`)
  })

  test('a dry run finds a tag conflict with a row far above, like the import', { tags: ['long'] }, async () => {
    const rows = Array.from({ length: 2500 }, (_, i) => `R${i},${(60 + i * 0.01).toFixed(2)},70,`)
    const content = `title,lat,lon,tag\nfirst,-60,70,30\n${rows.join('\n')}\nlast,-60.0001,70,30\n`
    for (const query of ['?dryRun=true', '']) {
      const { report } = await imports.imported(content, { query })
      expect(report.summary).toMatchObject({ rows: 2502, created: 2501, failed: 1 })
      const issues: { code: string; message: string }[] = report.rows.flatMap(({ errors }: Answer['body']) => errors)
      expect(issues.find(({ code }) => code === 'APRIL_TAG_CONFLICT')?.message).toMatch(
        /^AprilTag 30 is already carried by (row 1|GCP \d+) "first" nearby: write a tag that no point within 100 m has, or none$/,
      )
    }
  })

  test('report a row refused for its tag once, and not as a warning', async () => {
    const ring = [
      [0, -71],
      [1, -71],
      [1, -70],
      [0, -70],
      [0, -71],
    ]
    const boundary = { type: 'Polygon', coordinates: [ring] }
    const zoneId = await imports.zone({ boundary })
    const content = 'title,lat,lon,Marker ID\nA,-75,70,31\nB,-75,70,31\n'
    const { report } = await imports.imported(content, { zoneId })
    expect(report.summary).toMatchObject({ created: 1, failed: 1, warnings: 1 })
    const told = report.rows.map(({ row, errors: [{ code, column }] }: Answer['body']) => [row, code, column])
    expect(told).toEqual([
      [1, 'OUTSIDE_ZONE', null],
      [2, 'APRIL_TAG_CONFLICT', 'Marker ID'],
    ])
  })

  test('are safe for spreadsheets as CSV', async () => {
    const { record } = await imports.imported('title,lat,lon\n"=HYPERLINK(""x"")",91,2\n')
    const { body, headers } = await service.anonymous.get(`/api/gcp/upload/${record.id}/report?format=csv`)
    expect(headers.get('content-type')).toMatch(/^text\/csv/)
    expect(body).toBe(
      `row,line,title,status,code,column,value,message\r\n1,2,"'=HYPERLINK(""x"")",failed,LATITUDE_RANGE,lat,91,latitude 91 is outside -90..90\r\n`,
    )
  })
  test('quote line ends within cells, so that none starts a formula', async () => {
    const { record } = await imports.imported('title,lat,lon\n"a\n=1+1",91,2\nB,91,2\n')
    const { body } = await service.anonymous.get(`/api/gcp/upload/${record.id}/report?format=csv`)
    const records: string[][] = parse(body, { record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true })
    expect(records.map(([, , title]) => title).filter(Boolean)).toEqual(['title', 'a\n=1+1', 'B'])
  })
})
