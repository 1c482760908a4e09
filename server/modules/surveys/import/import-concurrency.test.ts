import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Answer, type Caller, type Service, startService } from '../../../test/service.ts'
import { importsOn } from '../../../test/surveying/imports.ts'

let service: Service
let client: pg.Client
let user: Caller & { id: string }
beforeAll(async () => {
  service = await startService()
  client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  user = await buildersOn(service).user()
})
afterAll(async () => {
  await client.end()
  await service.stop()
})

/** Imports `A,10.1` over a point `A,10`, and runs `meanwhile` between reading and locking its points. */
async function importedBeside(meanwhile: (id: number, zoneId: number) => Promise<Answer>) {
  const imports = importsOn(service, user)
  const { zoneId, gcps } = await imports.imported('title,lat,lon\nA,10,20\n')
  const key = await imports.stored('title,lat,lon,tag\nA,10.1,20,\nB,11,20,\nlast,12,20,9\n')
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock(7210, 9)')
  const { body } = await imports.send(zoneId, key)
  const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`
  while ((await client.query(waiting)).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  const { status } = await meanwhile(gcps[0].id, zoneId)
  await client.query('commit')
  expect(status).toBeLessThan(300)
  const { status: end } = await imports.ended(body.id)
  const after: Answer['body'][] = await imports.gcps(zoneId)
  // The next test uses the tag in the same place.
  await user.delete(`/api/gcp/${after.find(({ title }) => title === 'last').id}`)
  const points = after.map(({ title, aprilTagId, pin }) => [title, aprilTagId, pin.latitude])
  return { end, points: points.sort() }
}

describe('changes between reading and locking the points are respected', () => {
  test('a new tag', { tags: ['long'] }, async () => {
    expect(await importedBeside((id) => user.put(`/api/gcp/${id}`, { title: 'A', aprilTagId: 5 }))).toEqual({
      end: 'COMPLETED',
      points: [
        ['A', 5, 10.1],
        ['B', null, 11],
        ['last', 9, 12],
      ],
    })
  })

  test('a new title: the row with the old title creates a point', async () => {
    expect(await importedBeside((id) => user.put(`/api/gcp/${id}`, { title: 'A2' }))).toEqual({
      end: 'COMPLETED',
      points: [
        ['A', null, 10.1],
        ['A2', null, 10],
        ['B', null, 11],
        ['last', 9, 12],
      ],
    })
  })

  test('a new point with a title of the file: the row updates it', async () => {
    const geoPose = { position: { lat: 11.5, lon: 20, h: 0 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
    const make = (_: number, zoneId: number) =>
      user.post('/api/gcp', { title: 'B', gcpType: 'SINGLE', zoneId, geoPose })
    expect(await importedBeside(make)).toEqual({
      end: 'COMPLETED',
      points: [
        ['A', null, 10.1],
        ['B', null, 11],
        ['last', 9, 12],
      ],
    })
  })
})
