import { expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const lines = (...records: string[]) => `${records.join('\r\n')}\r\n`
const file = lines(
  'G00,01,park,',
  'Z00,points,',
  'A00,',
  'A01,1,T-1,-35123.400,-8123.700,12.5,',
  'A01,2, K1 ,-35124.400,-8124.700,,',
  'A01,3,T-1,-35123.400,-8123.700,12.5,',
  'A01,4,,-35123.400,-8123.700,12.5,',
  'A01,5,T-5,,-8123.700,12.5,',
  'A99,',
  'D00,1,1-1,',
  'B01,1,T-1,',
  'D99,',
)

test('reads the points: X is the northing, and the system is that of crs=', async () => {
  await expect(surveyOf(file)).rejects.toMatchObject({ code: 'UNKNOWN_CRS', message: expect.stringContaining('crs=') })
  const { detected, points, faulty, repeats, notices } = await surveyOf(file, { crs: 'EPSG:6677' })
  expect(detected.format).toBe('sima')
  expect(points).toMatchObject([
    { title: 'T-1', altitude: 12.5, heightDatum: 'unknown' },
    { title: 'K1', altitude: null },
  ])
  // cs2cs EPSG:6677 EPSG:4326
  expect(points[0]!.latitude).toBeCloseTo(35.683382580391, 9)
  expect(points[0]!.longitude).toBeCloseTo(139.743582252021, 9)
  expect(repeats).toHaveLength(1)
  expect(faulty.map(({ line, faults }) => [line, faults[0]!.code])).toEqual([
    [7, 'MISSING_TITLE'],
    [8, 'NOT_A_NUMBER'],
  ])
  expect(notices).toContainEqual(
    expect.objectContaining({ code: 'RECORDS_LEFT_OUT', message: expect.stringMatching(/^1 /) }),
  )
})

test('reads names in Shift_JIS', async () => {
  const [before, after] = file.split('T-5')
  // 境界1
  const name = Buffer.from([0x8b, 0xab, 0x8a, 0x45, 0x31])
  const row = Buffer.from(',-35125.400,-8125.700,12.5,\r\nA01,6,x')
  const bytes = Buffer.concat([Buffer.from(before!), name, row, Buffer.from(after!)])
  const { detected, points } = await surveyOf(bytes, { crs: 'EPSG:6677' })
  expect(detected.encoding).toBe('shift_jis')
  expect(points.map(({ title }) => title)).toContain('境界1')
})

test.each([
  'G01,391776.15,5820072.96,34.2\nG02,391777.15,5820072.96,34.2\nA01,391778.15,5820072.96,34.2\n',
  'G00,391776.15,5820072.96,34.2\nZ00,391777.15,5820072.96,34.2\nA00,391778.15,5820072.96,34.2\n',
])('reads a list whose titles look like records as a list: %s', async (text) => {
  const { detected, points } = await surveyOf(text, { crs: 'EPSG:25833' })
  expect(detected.format).toBe('csv')
  expect(points).toHaveLength(3)
})

test('keeps the names of a file in UTF-8 with one bad byte', async () => {
  const rows = ['境界', '\xff', '三角点'].map((name, i) => `A01,${i},${name},-35125.4,-812${i}.7,12.5,`)
  const [before, after] = lines('G00,01,現場,', 'Z00,座標,', 'A00,', ...rows, 'A99,').split('\xff')
  const bytes = Buffer.concat([Buffer.from(before!), Buffer.from([0xff]), Buffer.from(after!)])
  const { points } = await surveyOf(bytes, { crs: 'EPSG:6677' })
  expect(points.map(({ title }) => title)).toEqual(['境界', '\ufffd', '三角点'])
})

test('takes the height 0, which stands for none, for none, and says so', async () => {
  const rows = ['0.000', '12.5', '0'].map((z, i) => `A01,${i},T-${i},-35125.4,-812${i}.7,${z},`)
  const { points, notices } = await surveyOf(lines('Z00,a,', 'A00,', ...rows, 'A99,'), { crs: 'EPSG:6677' })
  expect(points.map(({ altitude }) => altitude)).toEqual([null, 12.5, null])
  expect(notices).toContainEqual(
    expect.objectContaining({ code: 'HEIGHTS_NOT_READ', message: expect.stringContaining('height 0 of 2 points') }),
  )
})

test('counts records other than points', async () => {
  const text = lines('Z00,a,', 'A00,', 'A01,1,T-1,-35123.4,-8123.7,12.5,', 'A02,1,T-2,-35124.4,-8123.7,12.5,', 'A99,')
  const { points, faulty, notices } = await surveyOf(text, { crs: 'EPSG:6677' })
  expect(points.map(({ title }) => title)).toEqual(['T-1'])
  expect(faulty).toEqual([])
  expect(notices.map(({ code }) => code)).toContain('RECORDS_LEFT_OUT')
})

test('proposes the plane rectangular systems of Japan, and those in which the points are in the zone', async () => {
  await expect(surveyOf(file)).rejects.toMatchObject({
    message: expect.stringMatching(/crs=EPSG:6677.*EPSG:6669 \(I\) to EPSG:6687 \(XIX\)/),
  })
  const inZone = (latitude: number, longitude: number) => Math.hypot(latitude - 35.68, longitude - 137.07) < 0.1
  await expect(surveyOf(file, { inZone })).rejects.toMatchObject({
    message: expect.stringContaining('crs=EPSG:6675 (in EPSG:6675 the points would be in their zone)'),
  })
})
