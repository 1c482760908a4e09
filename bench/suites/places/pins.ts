import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg, { type QueryConfig } from 'pg'
import { candidatesQuery, nearestQuery } from '../../../server/modules/pins/search/pin-search.ts'
import { runSql, withTemporaryDatabase } from '../../databases/temporary-database.ts'
import { closedLoop, type Throughput } from '../../load/closed-loop.ts'
import { interleaved } from '../../load/interleaved.ts'
import { hasPgbench, pgbench } from '../../load/pgbench.ts'
import { rawClient } from '../../load/raw-client.ts'
import { type Place, postgisQuery, startPostgis } from '../../peers/postgis.ts'
import { startRedis } from '../../peers/redis.ts'
import { startChild } from '../../processes/child.ts'
import type { Comparison } from '../../record/comparison.ts'

const CLIENTS = 16
const CENTRES = 1000
/** Redis searches the nearest within a radius only. */
const REDIS_NEAREST_METRES = 5000

type Centre = Omit<Place, 'id'>
type Kind = {
  name: string
  query: string
  sql: (centre: Centre) => QueryConfig
  radius: number
  count?: number
  target: string
}

const nothing = {
  viewerId: undefined,
  radius: undefined,
  nearest: undefined,
  bbox: undefined,
  minH: undefined,
  maxH: undefined,
  contentType: undefined,
  zoneId: undefined,
}
const around = (radius: number, target: string): Kind => ({
  name: `within ${radius} m`,
  query: `radius=${radius}`,
  sql: (centre) => candidatesQuery({ ...nothing, ...centre, radius, limit: 1000 }, radius),
  radius,
  target,
})
const kinds: Kind[] = [
  around(100, '≥ 0.8'),
  around(1000, '≥ 0.8'),
  around(5000, '≥ 0.8'),
  {
    name: 'nearest 20',
    query: 'nearest=20',
    sql: (centre) => nearestQuery({ ...nothing, ...centre, nearest: 20, limit: 20 }),
    radius: REDIS_NEAREST_METRES,
    count: 20,
    target: '≥ 0.8',
  },
]

/**
 * Searches around random pins through the whole service over HTTP in its own process, with its index in memory. Compared with
 * the same statements through pgbench, which discards rows (near the poles and 180° the statements differ), and with Redis GEO
 * on the same points, which returns IDs and haversine distances, and PostGIS through pgbench, which returns IDs and
 * distances on the ellipsoid.
 * @param url a PostgreSQL that may create databases @param ms length of each measurement @param pins in the table
 */
export function benchPins(url: string, ms = 3000, pins = 1_000_000): Promise<Comparison[]> {
  return withTemporaryDatabase(url, async (own) => {
    await runSql(own, seedPins(pins))
    await runSql(own, 'vacuum analyze pins')
    const client = new pg.Client({ connectionString: own })
    await client.connect()
    const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-pins-'))
    const { rows: centres } = await client.query<Centre>(
      `select latitude, longitude from pins where abs(latitude) < 80 and abs(longitude) < 178 order by random() limit ${CENTRES}`,
    )
    const service = await startChild<{ url: string }>('service-process.ts', [own, folder])
    await isInMemory(service.url)
    const http = rawClient(service.url, CLIENTS)
    const redis = await startRedis()
    const { rows: places } = await client.query<Place>('select id, latitude, longitude from pins')
    const postgis = await startPostgis(places)
    try {
      if (redis) await addAll(places, redis.client)
      const some = () => centres[Math.floor(Math.random() * centres.length)]!
      const results: Comparison[] = []
      for (const { name, query, sql, radius, count, target } of kinds) {
        const ours = () => {
          const { latitude, longitude } = some()
          return http.get(`/api/location/pins?lat=${latitude}&lon=${longitude}&${query}`)
        }
        const found = await foundOnAverage(client, centres.map(sql))
        const direct = (ms: number) => pgbench(own, centres.map(sql), CLIENTS, ms)
        const geo = () => {
          const { latitude, longitude } = some()
          const nearest = count ? (['COUNT', count] as const) : []
          const around = ['FROMLONLAT', longitude, latitude, 'BYRADIUS', radius, 'm', 'ASC'] as const
          return redis!.client.geosearch('pins', ...around, ...nearest, 'WITHDIST')
        }
        const sides: Record<string, (ms: number) => Promise<Throughput>> = {
          ours: (ms) => closedLoop(CLIENTS, ms, ours),
          ...(hasPgbench() && { pgbench: direct }),
          ...(redis && { redis: (ms: number) => closedLoop(CLIENTS, ms, geo) }),
          ...(postgis &&
            hasPgbench() && {
              postgis: (ms: number) =>
                pgbench(
                  postgis.url,
                  centres.map((centre) => postgisQuery(centre, radius, count)),
                  CLIENTS,
                  ms,
                ),
            }),
        }
        const measured = await interleaved(sides, { ms, rounds: 5 })
        const compare = (peer: string, target: string) => {
          const one = measured[peer]
          if (!one) return console.error(`  ${peer} is not available: its comparison is skipped`)
          results.push({
            name: `pins ${name} of ${pins} over HTTP / ${peer}, ${CLIENTS} clients`,
            ours: { ...measured.ours!, found },
            peer: one,
            ratio: measured.ours!.perSecond / one.perSecond,
            target,
          })
        }
        compare('pgbench', target)
        compare('redis', 'none: Redis keeps ids in memory, and gives no records')
        compare('postgis', 'none: PostGIS gives ids and distances, in its own protocol')
      }
      return results
    } finally {
      await redis?.stop()
      await postgis?.stop()
      http.close()
      await service.stop()
      await client.end()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

/** Until then the service uses the database. */
export async function isInMemory(url: string): Promise<void> {
  const start = performance.now()
  while (!/^cairn_pin_index_pins [1-9]/m.test(await (await fetch(`${url}/metrics`)).text())) await wait(100)
  console.error(`  the pins were in memory after ${((performance.now() - start) / 1000).toFixed(1)} s`)
}

/** Two thousand towns of pins with a standard deviation of 3 km, and a tenth spread over the whole earth. */
export const seedPins = (pins: number) => `
  insert into pins (title, content_type, latitude, longitude, geo_pose)
  select 'Pin ' || i, 'GLB', lat, lon,
         jsonb_build_object('position', jsonb_build_object('lat', lat, 'lon', lon, 'h', 34.5),
                            'angles', jsonb_build_object('yaw', 12.5, 'pitch', 0, 'roll', 0))
    from (
      select i, latitude + sqrt(-2 * ln(1 - random())) * cosd(360 * random()) * 0.027 as lat,
             longitude + sqrt(-2 * ln(1 - random())) * cosd(360 * random()) * 0.027 / cosd(latitude) as lon
        from (select random() * 130 - 60 as latitude, random() * 350 - 175 as longitude from generate_series(1, 2000)) as town,
             generate_series(1, ${Math.ceil((pins * 0.9) / 2000)}) as i) as placed;
  insert into pins (title, content_type, latitude, longitude)
  select 'Pin', 'GLB', degrees(asin(random() * 2 - 1)), random() * 360 - 180 from generate_series(1, ${Math.ceil(pins / 10)});`

/** All pins that Redis accepts: it has no positions near the poles. */
async function addAll(places: Place[], redis: NonNullable<Awaited<ReturnType<typeof startRedis>>>['client']) {
  const accepted = places.filter(({ latitude }) => Math.abs(latitude) < 85)
  for (let at = 0; at < accepted.length; at += 2000)
    await redis.geoadd(
      'pins',
      ...accepted.slice(at, at + 2000).flatMap(({ id, latitude, longitude }) => [longitude, latitude, id]),
    )
}

async function foundOnAverage(client: pg.Client, statements: QueryConfig[]): Promise<number> {
  let found = 0
  for (const { text, values } of statements) found += (await client.query({ text, values: values! })).rows.length
  return found / statements.length
}
