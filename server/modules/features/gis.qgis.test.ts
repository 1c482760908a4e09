import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../../test/service.ts'
import { manyGcps } from '../../test/surveying/many-gcps.ts'

const run = promisify(execFile)
const SCRIPT = fileURLToPath(new URL('../../test/programs/qgis-layer.py', import.meta.url))
const POINTS = 2500

let service: Service
beforeAll(async () => {
  service = await startService()
  await manyGcps(service, POINTS)
})
afterAll(() => service.stop())

/** A layer as QGIS has it, with its settings and caches in the test's folder. */
async function layer(source: string, provider: string, names: string[]) {
  const home = `${service.folder}/qgis`
  const { stdout } = await run('/usr/bin/python3', [SCRIPT, source, provider, ...names], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_CONFIG_HOME: home,
      XDG_RUNTIME_DIR: home,
      QT_QPA_PLATFORM: 'offscreen',
    },
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout) as { fields: Record<string, string>; count: number; features: unknown[][]; first: string }
}

describe('QGIS', () => {
  test('reads every feature of a layer over several pages, with heights and the fractions of angles', async () => {
    const { fields, count, features, first } = await layer(`url='${service.url}/ogc' typename='gcps'`, 'OAPIF', [
      'yaw',
      'title',
    ])
    expect(fields).toMatchObject({ yaw: 'Real', pitch: 'Real', roll: 'Real', createdAt: 'DateTime', title: 'String' })
    expect(count).toBe(POINTS)
    expect(features.map(([yaw]) => yaw)).toEqual(Array.from({ length: POINTS }, (_, i) => (i < 10 ? 37 : 37.25)))
    expect(new Set(features.map(([, title]) => title)).size).toBe(POINTS)
    expect(first).toBe('PointZ (20.001 10 100)')
  })

  test('asks for a part of a layer by a filter', async () => {
    const source = `url='${service.url}/ogc' typename='gcps' filter='"title" = \\'P 77\\''`
    expect((await layer(source, 'OAPIF', ['title'])).features).toEqual([['P 77']])
  })

  test('through GDAL has the types of the schema for columns that are empty in the first features', async () => {
    const source = `OAPIF:${service.url}/ogc|layername=gcps|option:PAGE_SIZE=10000`
    const { fields, features } = await layer(source, 'ogr', ['aprilTagId', 'altitude'])
    expect(fields).toMatchObject({ aprilTagId: 'Integer', altitude: 'Real', accuracyH: 'Real', yaw: 'Real' })
    expect(features).toHaveLength(POINTS)
    expect(features.slice(10).every(([tag, altitude]) => tag === 7 && altitude === 12.5)).toBe(true)
  })
})
