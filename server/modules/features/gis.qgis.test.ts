import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runQgis } from '../../test/programs/qgis.ts'
import { type Service, startService } from '../../test/service.ts'
import { manyGcps } from '../../test/surveying/many-gcps.ts'

const POINTS = 2500

let service: Service
beforeAll(async () => {
  service = await startService()
  await manyGcps(service, POINTS)
})
afterAll(() => service.stop())

type Layer = { fields: Record<string, string>; count: number; features: unknown[][]; first: string }

const layer = async (source: string, provider: string, names: string[]) =>
  (await runQgis(service, 'qgis-layer.py', [source, provider, ...names])) as Layer

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

  test('gets what an expression selects, whatever part of it the service evaluates', async () => {
    const source = `url='${service.url}/ogc' typename='gcps' filter='"yaw" = 37 or ("title" like \\'P 12__\\' and "yaw" > 30)'`
    const { features } = await layer(source, 'OAPIF', ['title'])
    expect(features).toHaveLength(110)
  })

  test('through GDAL has the types of the schema for columns that are empty in the first features', async () => {
    const source = `OAPIF:${service.url}/ogc|layername=gcps|option:PAGE_SIZE=10000`
    const { fields, features } = await layer(source, 'ogr', ['aprilTagId', 'altitude'])
    expect(fields).toMatchObject({ aprilTagId: 'Integer', altitude: 'Real', accuracyH: 'Real', yaw: 'Real' })
    expect(features).toHaveLength(POINTS)
    expect(features.slice(10).every(([tag, altitude]) => tag === 7 && altitude === 12.5)).toBe(true)
  })
})
