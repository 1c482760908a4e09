import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countSaid, ogrinfo } from '../../test/programs/gdal.ts'
import { type Service, startService } from '../../test/service.ts'
import { manyGcps } from '../../test/surveying/many-gcps.ts'

const run = promisify(execFile)
/** CAIRN_TEST_POINTS=100000 for as many as docs/gis.md promises. */
const POINTS = Number(process.env.CAIRN_TEST_POINTS ?? 20_000)

let service: Service
beforeAll(async () => {
  // The quota of an address as it is by default.
  service = await startService({ CAIRN_LIMIT_ADDRESS_PER_MINUTE: '600' })
  await manyGcps(service, POINTS)
})
afterAll(() => service.stop())

const docs = readFileSync(new URL('../../../docs/gis.md', import.meta.url), 'utf8')
const commands = [...docs.matchAll(/```sh\n(.*?)```/gs)]
  .flatMap(([, block]) => block!.trim().split('\n'))
  .filter((line) => /^ogr/.test(line))

describe('GDAL', () => {
  test(`runs the commands of docs/gis.md on ${POINTS} points within the quota of one address`, async () => {
    expect(commands.length).toBeGreaterThan(2)
    for (const command of commands) {
      const [program, ...words] = command.replaceAll('http://127.0.0.1:8080', service.url).split(/\s+/)
      const { stderr } = await run(program!, words, { cwd: service.folder })
      expect([command, stderr]).toEqual([command, expect.not.stringMatching(/ERROR|429/)])
    }
    expect(countSaid(await ogrinfo('-so', '-al', `${service.folder}/points.gpkg`, 'gcps'))).toBe(POINTS)
  })

  test('keeps every value', async () => {
    const file = `${service.folder}/points.gpkg`
    const sums =
      'count(*) as n, sum(yaw = 37.25) as yaws, sum(altitude = 12.5) as altitudes, sum(aprilTagId = 7) as tags'
    const found = await ogrinfo('-q', '-sql', `select ${sums} from gcps`, '-dialect', 'SQLite', file)
    for (const [name, count] of [
      ['n', POINTS],
      ['yaws', POINTS - 10],
      ['altitudes', POINTS - 10],
      ['tags', POINTS - 10],
    ])
      expect(found).toMatch(new RegExp(`${name} \\(\\w+\\) = ${count}$`, 'm'))
    expect(await ogrinfo('-q', '-where', "title = 'P 1234'", file, 'gcps')).toContain('POINT Z (20.234 10.001 100)')
  })

  test('gives every column the type of its schema, though it reads ten features first, which look otherwise', async () => {
    const address = `OAPIF:${service.url}/ogc`
    for (const text of [
      await ogrinfo('-so', '-al', '-oo', 'PAGE_SIZE=10', address, 'gcps'),
      await ogrinfo('-so', '-al', `${service.folder}/points.gpkg`, 'gcps'),
    ])
      for (const [name, type] of [
        ['yaw', 'Real'],
        ['altitude', 'Real'],
        ['accuracyH', 'Real'],
        ['aprilTagId', 'Integer'],
        ['zoneId', 'Integer'],
        ['createdAt', 'DateTime'],
        ['title', 'String'],
      ])
        expect(text).toMatch(new RegExp(`^${name}: ${type} \\(`, 'm'))
  })

  test('counts a layer by the number the service says, without reading its pages', async () => {
    expect(countSaid(await ogrinfo('-so', '-al', `OAPIF:${service.url}/ogc`, 'gcps'))).toBe(POINTS)
  })
})
