import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenOn } from '../../test/given.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

const run = promisify(execFile)
const ogrinfo = async (...args: string[]): Promise<string> =>
  (await run('ogrinfo', ['-ro', ...args], { timeout: 60_000 })).stdout
/** How many features a program says a layer has, and those it lists. */
const counted = (text: string) => Number(/Feature Count: (\d+)/.exec(text)?.[1])
const listed = (text: string) => [...text.matchAll(/^OGRFeature\(/gm)].length

let service: Service
let user: Caller
let folder: string
let zoneId: number
const POINTS = 45
const place = (i: number) => ({ lat: 10 + i / 100, lon: i % 2 ? 179.9 : -179.9, h: i })

beforeAll(async () => {
  service = await startService()
  user = await givenOn(service).user()
  folder = await mkdtemp(join(tmpdir(), 'cairn-gdal-'))
  const ring = [
    [170, 5],
    [180, 5],
    [180, 15],
    [170, 15],
    [170, 5],
  ]
  zoneId = (
    await user.post('/api/zones', { title: 'Zone & "one"', boundary: { type: 'Polygon', coordinates: [ring] } })
  ).body.id
  for (let i = 0; i < POINTS; i++)
    await user.post('/api/gcp', {
      title: `P ${i} <&> é`,
      gcpType: 'SINGLE',
      zoneId,
      description: `row "${i}"\nsecond line`,
      geoPose: { position: place(i), angles: { yaw: 0, pitch: 0, roll: 0 } },
    })
}, 60_000)
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('GDAL', () => {
  test('lists the three layers by the address alone', async () => {
    const text = await ogrinfo(`OAPIF:${service.url}/ogc`)
    expect(text).toContain("using driver `OAPIF' successful")
    for (const layer of ['pins', 'gcps', 'zones']) expect(text).toMatch(new RegExp(`^\\d+: ${layer} \\(`, 'm'))
  })

  test('reads every feature over several pages, with places and properties', async () => {
    for (const layer of ['pins', 'gcps']) {
      const text = await ogrinfo('-al', '-oo', 'PAGE_SIZE=10', `OAPIF:${service.url}/ogc`, layer)
      expect(counted(text)).toBe(POINTS)
      expect(listed(text)).toBe(POINTS)
      expect(text).toContain('POINT Z (179.9 10.01 1)')
      expect(text).toContain('title (String) = P 44 <&> é')
    }
    const zones = await ogrinfo('-al', `OAPIF:${service.url}/ogc`, 'zones')
    expect(zones).toContain('POLYGON ((170 5,180 5,180 15,170 15,170 5))')
  })

  test('asks for a part of the map, and gets what lies there', async () => {
    const text = await ogrinfo('-al', '-spat', '179', '10', '180', '10.1', `OAPIF:${service.url}/ogc`, 'gcps')
    expect(listed(text)).toBe(5)
  })

  test('asks for features by a property', async () => {
    const text = await ogrinfo('-al', '-where', "title = 'P 7 <&> é'", `OAPIF:${service.url}/ogc`, 'gcps')
    expect(listed(text)).toBe(1)
  })
})
