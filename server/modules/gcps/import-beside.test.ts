import pg from 'pg'
import { expect, test } from 'vitest'
import { givenOn } from '../../test/given.ts'
import { importsOn } from '../../test/imports.ts'
import { type Answer, startService } from '../../test/service.ts'

test('what somebody does to points between their being read and locked by an import stands', async () => {
  const service = await startService()
  const client = new pg.Client({ connectionString: service.databaseUrl })
  try {
    await client.connect()
    const user = await givenOn(service).user()
    const imports = importsOn(service, user)
    const { zoneId, gcps } = await imports.imported('title,lat,lon\nX,10,20\nY,11,20\n')
    const [x, y] = gcps.map(({ id }: { id: number }) => id)

    // The import reads X and Y and then waits for the tag of W.
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock(7210, 9)')
    const key = await imports.stored('title,lat,lon,tag\nX,10.1,20,\nY,11.1,20,\nN,12.1,20,\nW,13.1,20,9\n')
    const { body } = await imports.send(zoneId, key)
    const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    while ((await client.query(waiting)).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    const pose = { position: { lat: 12, lon: 20, h: 0 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
    const statuses = await Promise.all([
      user.put(`/api/gcp/${x}`, { title: 'X', aprilTagId: 5 }),
      user.put(`/api/gcp/${y}`, { title: 'Y2' }),
      user.post('/api/gcp', { title: 'N', gcpType: 'SINGLE', zoneId, geoPose: pose }),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 201])
    await client.query('commit')

    expect(await imports.ended(body.id)).toMatchObject({ status: 'COMPLETED', processedRows: 4 })
    const after = (await imports.gcps(zoneId)).map(({ title, aprilTagId, pin }: Answer['body']) => [
      title,
      aprilTagId,
      pin.latitude,
    ])
    expect(after.sort()).toEqual([
      ['N', null, 12.1],
      ['W', 9, 13.1],
      ['X', 5, 10.1],
      ['Y', null, 11.1],
      ['Y2', null, 11],
    ])
  } finally {
    await client.end()
    await service.stop()
  }
})
