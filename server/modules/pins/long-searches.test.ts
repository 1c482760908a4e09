import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ CAIRN_PIN_INDEX_BYTES: '0' })
})
afterAll(() => service.stop())

test('long searches wait for each other and delay nothing else', async () => {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    await client.query(HELD)
    const long = [
      '/api/location/pins?lat=1&lon=2&nearest=5&minH=9000',
      '/api/location/pins?lat=1&lon=2&bbox=-180,-90,180,90',
      '/api/location/pins?lat=1&lon=2&contentType=APK',
      '/ogc/collections/pins/items?title=none',
      '/ogc/collections/gcps/items?title=none',
      '/ogc/collections/pins',
    ]
    const asked = Array.from({ length: 24 }, (_, i) => service.anonymous.get(long[i % long.length]!))
    await expect.poll(async () => (await waiting()).length).toBeGreaterThanOrEqual(4)
    for (const path of ['/api/zones', '/api/zones/1', '/readyz'])
      expect([200, 404]).toContain((await service.anonymous.get(path)).status)
    expect(await waiting()).toHaveLength(4)
    await client.query('update gate set closed = false')
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]))
  } finally {
    await client.end()
  }

  async function waiting() {
    const { rows } = await client.query(`select from pg_locks where locktype = 'advisory' and objid = ${AT_GATE}
        and database = (select oid from pg_database where datname = current_database())`)
    return rows
  }
})

/** The advisory lock of each search that waits. */
const AT_GATE = 24
/** No search ends before the gate is open. A lock on the table would not do: a statement gives up on it after a second. */
const HELD = `
  create table gate as select true as closed;
  create function pass_gate() returns void language plpgsql as $$ begin
    perform pg_advisory_xact_lock_shared(${AT_GATE});
    while (select closed from gate) loop perform pg_sleep(0.02); end loop;
  end $$;
  alter table pins rename to stored_pins;
  create view pins as select stored_pins.* from stored_pins, pass_gate() as passed`
