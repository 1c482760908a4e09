// @module-tag long
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
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

const exported = async (zoneId: number, format: string): Promise<string> =>
  (await fetch(`${service.url}/api/gcp/zone/${zoneId}/export?format=${format}`)).text()

/** Texts valid in XML that a spreadsheet formula, a comment or a list could be confused with. */
const text = fc
  .oneof(
    fc.constantFrom(
      '=1+1',
      "'=2",
      '#1',
      'json:"x"',
      '12,5',
      '12.55',
      ' gap ',
      'two\nlines',
      '<b>&amp;"',
      '[1]',
      '日本',
      'NaN',
    ),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
  )
  .filter((value) => value.isWellFormed() && !/[\p{Cc}\ufffe\uffff]/u.test(value.replaceAll('\n', '')))
const title = text.filter((value) => value.trim() !== '' && value.trim().length <= 255)
const number = fc.oneof(
  fc.double({ min: -1e5, max: 1e5, noNaN: true }),
  fc.constantFrom(0, 1e21, -1e-7, 5e-324, 0.1 + 0.2),
)
const gcp = fc.record(
  {
    title,
    gcpType: fc.constantFrom('SINGLE', 'MULTI'),
    geoPose: fc.record({
      position: fc.record({
        lat: fc.double({ min: -90, max: 90, noNaN: true }),
        lon: fc.double({ min: -180, max: 180, noNaN: true }),
        h: number,
      }),
      angles: fc.record({ yaw: number, pitch: number, roll: number }),
    }),
    description: text,
    altitude: number,
    gcpData: text,
    photoUrls: fc.uniqueArray(
      fc.constantFrom('https://a.example/1.jpg', 'http://a.example/a%20b.jpg', 'https://a.example/x,y;z%7Cw?q=1#f'),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ['title', 'gcpType', 'geoPose'] },
)
const folded = (value: string) => value.trim().normalize('NFKC').toUpperCase().toLowerCase()

describe.each(['geojson', 'kml'])('an exported %s', (format) => {
  test('changes nothing when it is imported again, with any combination of fields', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(gcp, { selector: (point) => folded(point.title), minLength: 1, maxLength: 6 }),
        async (points) => {
          const zoneId = await imports.zone()
          let made = 0
          for (const point of points) if ((await user.post('/api/gcp', { ...point, zoneId })).status === 201) made++
          const before = await imports.gcps(zoneId)
          const file = await exported(zoneId, format)
          const { report, record, gcps } = await imports.imported(file, { zoneId, name: `marks.${format}` })
          expect(record.errorMessage).toBeNull()
          expect(report.summary).toMatchObject({ rows: made, created: 0, updated: 0, unchanged: made, failed: 0 })
          expect(gcps).toEqual(before)
          expect(await exported(zoneId, format)).toBe(file)
        },
      ),
      { numRuns: 15 },
    )
  }, 120_000)

  test.each([
    'title,lat,lon,elevation,hrms,vrms\nA,1.5,2.5,30,0.01,0.02\n',
    'title,lat,lon,h,altitude\nA,1.5,2.5,30,12\n',
    'title,lat,lon,z,apriltag\nA,1.5,2.5,0,7\n',
    'title,lat,lon\nA,1.5,2.5\n',
  ])('keeps heights, accuracies and tags of a survey file: %j', async (text) => {
    // Two points this close may not have the same AprilTag.
    const survey = format === 'kml' ? text.replace('1.5,2.5', '31.5,2.5') : text
    const { zoneId } = await imports.imported(survey)
    const file = await exported(zoneId, format)
    const again = await imports.imported(file, { zoneId, name: `marks.${format}` })
    expect(again.report.summary).toMatchObject({ created: 0, updated: 0, unchanged: 1, failed: 0 })
    expect(await exported(zoneId, format)).toBe(file)
  })

  test('names points without a position, which an import cannot place either', async () => {
    const zoneId = await imports.zone()
    await user.post('/api/gcp', { title: 'Nowhere', gcpType: 'SINGLE', zoneId })
    const { report } = await imports.imported(await exported(zoneId, format), { zoneId, name: `marks.${format}` })
    expect(report.summary).toMatchObject({ created: 0, updated: 0, failed: 1 })
  })
})
