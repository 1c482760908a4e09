// @module-tag long
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Answer, type Caller, type Service, startService } from '../../test/service.ts'
import { importsOn } from '../../test/surveying/imports.ts'

let service: Service
let user: Caller
let imports: ReturnType<typeof importsOn>
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
  imports = importsOn(service, user)
})
afterAll(() => service.stop())

const exported = async (zoneId: number): Promise<string> =>
  (await service.anonymous.get(`/api/gcp/zone/${zoneId}/export?format=csv`)).body

const hostile = fc.constantFrom(
  '=1+1',
  '+49 30 1234',
  '-5',
  '@SUM(A1)',
  "'=1+1",
  "''=2",
  "'quoted'",
  '＝1',
  '#1',
  '# comment',
  'json:"x"',
  'sep=;',
  'EPSG:25833',
  'a,b;c|d\te',
  'say "hi"',
  'two\nlines',
  'two\r\nlines',
  ' gap',
  'gap ',
  '\u00a0x',
  '\ufeffx',
  'title,latitude,longitude',
  '12,5',
  'NaN',
  'm',
  '[1]',
  '日本',
  '👩‍🚀',
)
const text = fc
  .oneof(hostile, fc.string({ unit: 'grapheme', maxLength: 30 }), fc.string({ unit: 'binary', maxLength: 30 }))
  .filter((value) => value.isWellFormed() && !value.includes('\0'))
const title = text.filter((value) => value.trim() !== '' && value.trim().length <= 255)
const number = fc.oneof(
  fc.double({ min: -1e5, max: 1e5, noNaN: true }),
  fc.constantFrom(0, 1e21, -1e-7, 5e-324, 0.1 + 0.2),
)
const pose = fc.record({
  position: fc.record({
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
    h: number,
  }),
  angles: fc.record({ yaw: number, pitch: number, roll: number }),
})
const address = fc.constantFrom(
  'https://a.example/1.jpg',
  'http://a.example/a%20b.jpg',
  'https://a.example/x,y;z%7Cw?q=1#f',
  'https://a.example/%20',
)
const gcp = fc.record(
  {
    title,
    gcpType: fc.constantFrom('SINGLE', 'MULTI'),
    geoPose: pose,
    description: text,
    altitude: number,
    gcpData: text,
    photoUrls: fc.uniqueArray(address, { maxLength: 3 }),
  },
  { requiredKeys: ['title', 'gcpType', 'geoPose'] },
)
const folded = (value: string) => value.trim().normalize('NFKC').toUpperCase().toLowerCase()
const change = fc.record({ altitude: fc.option(number), description: fc.option(text) }, { requiredKeys: [] })

describe('an exported CSV', () => {
  test('changes nothing when it is imported again, with any combination of fields', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(gcp, { selector: (point) => folded(point.title), minLength: 1, maxLength: 8 }),
        change,
        async (points, changed) => {
          const zoneId = await imports.zone()
          const made: Answer[] = []
          for (const [i, point] of points.entries()) {
            const tag = i === 0 ? { aprilTagId: 3, geoPose: point.geoPose } : {}
            const answer = await user.post('/api/gcp', { ...point, zoneId, ...(i === 0 && zoneId % 2 ? tag : {}) })
            if (answer.status === 201) made.push(answer)
          }
          if (made[0]) await user.put(`/api/gcp/${made[0].body.gcp.id}`, { title: made[0].body.gcp.title, ...changed })
          const before = await imports.gcps(zoneId)
          const file = await exported(zoneId)
          const { report, record, gcps } = await imports.imported(file, { zoneId })
          expect(gcps).toEqual(before)
          expect(report.summary).toMatchObject({
            rows: made.length,
            created: 0,
            updated: 0,
            unchanged: made.length,
            failed: 0,
          })
          expect(record.errorMessage).toBeNull()
          expect(await exported(zoneId)).toBe(file)
        },
      ),
      { numRuns: 40 },
    )
  }, 120_000)

  test('gives the same points in another zone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(gcp, { selector: (point) => folded(point.title), minLength: 1, maxLength: 8 }),
        async (points) => {
          const zoneId = await imports.zone()
          for (const point of points) await user.post('/api/gcp', { ...point, zoneId })
          const { gcps } = await imports.imported(await exported(zoneId))
          const shown = (all: Answer['body']) =>
            all.map(({ title, gcpType, altitude, photoUrls, pin, description, gcpData }: Answer['body']) => ({
              ...{ title, gcpType, altitude, photoUrls, geoPose: pin.geoPose, latitude: pin.latitude },
              description: description || null,
              gcpData: gcpData || null,
            }))
          expect(shown(gcps)).toEqual(shown(await imports.gcps(zoneId)))
        },
      ),
      { numRuns: 20 },
    )
  }, 120_000)

  test('keeps the heights and accuracies of the survey file', async () => {
    for (const survey of [
      'title,lat,lon,elevation,hrms,vrms\nA,1.5,2.5,30,0.01,0.02\n',
      'title,lat,lon,h\nA,1.5,2.5,30\n',
      'title,lat,lon,z\nA,1.5,2.5,30\n',
      'title,lat,lon,h,altitude\nA,1.5,2.5,30,12\n',
      'title,lat,lon\nA,1.5,2.5\n',
      'title,lat,lon,hrms\nA,1.5,2.5,0.5\n',
    ]) {
      const { zoneId } = await imports.imported(survey)
      const file = await exported(zoneId)
      const again = await imports.imported(file, { zoneId })
      expect([survey, again.report.summary]).toEqual([
        survey,
        expect.objectContaining({ created: 0, updated: 0, unchanged: 1 }),
      ])
      const elsewhere = await imports.imported(file)
      expect(await exported(elsewhere.zoneId)).toBe(file)
      const [point] = again.gcps
      await user.put(`/api/gcp/${point.id}`, { title: 'A', altitude: 99 })
      const changed = await imports.imported(await exported(zoneId), { zoneId })
      expect([survey, changed.report.summary.updated]).toEqual([survey, 0])
      expect(changed.gcps[0].altitude).toBe(99)
    }
  })

  test('changes nothing either when a spreadsheet has saved it in its own way, and a cell that was changed is', async () => {
    const zoneId = await imports.zone()
    for (const [i, title] of ['=1+1', 'B, "b"', '#3', 'two\nlines'].entries()) {
      const position = { lat: 52.5 + i / 10, lon: 13.25 - i, h: 34.125 }
      const geoPose = { position, angles: { yaw: 1.5, pitch: 0, roll: 0 } }
      await user.post('/api/gcp', {
        title,
        gcpType: 'SINGLE',
        zoneId,
        geoPose,
        photoUrls: ['https://a.example/1,2.jpg'],
      })
    }
    const saved = (change: (cells: string[]) => string[]): string =>
      stringify(
        parse(file).map((cells: string[]) => change(cells.map((cell) => cell.replace(/^(-?\d+)\.(\d+)$/, '$1,$2')))),
        { delimiter: ';', record_delimiter: 'windows', bom: true, quoted_match: '\n' },
      )
    const file = await exported(zoneId)
    const same = await imports.imported(
      saved((cells) => cells),
      { zoneId },
    )
    expect(same.report.summary).toMatchObject({ created: 0, updated: 0, unchanged: 4, failed: 0 })
    const changed = await imports.imported(
      saved((cells) => (cells[0] === "'#3" ? cells.map((cell) => (cell === '34,125' ? '40,5' : cell)) : cells)),
      { zoneId },
    )
    expect(changed.report.summary).toMatchObject({ created: 0, updated: 1, unchanged: 3 })
    expect(changed.gcps[2].pin.geoPose.position.h).toBe(40.5)
  })

  test('is not doubted where a zone would have the axes exchanged', async () => {
    const ring = [
      [50, 10],
      [60, 10],
      [60, 20],
      [50, 20],
      [50, 10],
    ]
    const zoneId = await imports.zone({ boundary: { type: 'Polygon', coordinates: [ring] } })
    for (const [title, lat] of [
      ['A', 55],
      ['B', 56],
    ] as const) {
      const geoPose = { position: { lat, lon: 15, h: 0 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
      await user.post('/api/gcp', { title, gcpType: 'SINGLE', zoneId, geoPose })
    }
    const { report } = await imports.imported(await exported(zoneId), { zoneId })
    expect(report.summary).toMatchObject({ unchanged: 2, failed: 0, warnings: 2 })
  })

  test('names points without a place, which an import cannot place either, and changes nothing', async () => {
    const zoneId = await imports.zone()
    await user.post('/api/gcp', { title: 'Nowhere', gcpType: 'SINGLE', zoneId })
    const file = await exported(zoneId)
    expect(file).toContain('"Nowhere",,,')
    const { report } = await imports.imported(file, { zoneId })
    expect(report.summary).toMatchObject({ created: 0, updated: 0, failed: 1 })
  })
})
