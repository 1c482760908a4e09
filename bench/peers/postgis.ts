import { existsSync } from 'node:fs'
import pg, { type QueryConfig } from 'pg'
import { requirePrograms } from '../../server/test/programs/debian-packages.ts'
import { startDebianPostgres } from '../../server/test/programs/debian-postgres.ts'

const EXTENSION = '/usr/share/postgresql/15/extension/postgis.control'
const SETTINGS = { shared_buffers: '512MB', max_wal_size: '4GB', jit: 'off' }
const BATCH = 50_000

export type Place = { id: string; latitude: number; longitude: number }

/**
 * PostGIS of Debian with the places as geography, which measures on the ellipsoid. Installed if missing and root.
 * @returns undefined if unavailable
 */
export async function startPostgis(places: Place[]) {
  if (!existsSync(EXTENSION) && process.getuid?.() !== 0) return undefined
  requirePrograms(EXTENSION)
  const { url, stop } = await startDebianPostgres({ settings: SETTINGS })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create extension postgis; create table places (id bigint primary key, at geography(point))')
  for (let from = 0; from < places.length; from += BATCH) {
    const batch = places.slice(from, from + BATCH)
    await client.query(
      `insert into places select id, st_point(longitude, latitude)::geography
         from unnest($1::bigint[], $2::float8[], $3::float8[]) as given (id, latitude, longitude)`,
      [batch.map(({ id }) => id), batch.map(({ latitude }) => latitude), batch.map(({ longitude }) => longitude)],
    )
  }
  await client.query('create index on places using gist (at)')
  await client.query('vacuum analyze places')
  await client.end()
  return { url, stop }
}

const POINT = 'st_point($2::float8, $1::float8)::geography'

/** Ids and distances of the places within a radius, or of the nearest ones. */
export function postgisQuery(
  { latitude, longitude }: Omit<Place, 'id'>,
  radius: number,
  nearest?: number,
): QueryConfig {
  const text =
    nearest === undefined
      ? `select id, st_distance(at, ${POINT}) from places where st_dwithin(at, ${POINT}, $3) order by 2 limit 1000`
      : `select id, st_distance(at, ${POINT}) from places order by at <-> ${POINT} limit $3`
  return { text, values: [latitude, longitude, nearest ?? radius] }
}
