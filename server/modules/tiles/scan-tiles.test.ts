// @module-tag long
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../platform/database/database.ts'
import { buildersOn } from '../../test/builders.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'
import { type Decoded, readTile, tileAt } from '../../test/tiles/decode.ts'
import type { PointCollection } from './collections.ts'
import { tileStore } from './store.ts'

type Degrees = [longitude: number, latitude: number]
type Scan = { id: string; isShown: boolean; at: Degrees }

let service: Service
let sql: Sql
let app: Caller
let userId: string
beforeAll(async () => {
  service = await startService()
  sql = sqlOn(service)
  const owner = await buildersOn(service).user()
  app = await buildersOn(service).app({ owner })
  const [row] = await sql<{ id: string }>('select id from users limit 1')
  userId = row!.id
})
afterAll(() => service.stop())

let fileId = 1_000_000
/** Writes scans by SQL: some are private, or not processed. */
async function place(places: Degrees[], visibility: (i: number) => string): Promise<Scan[]> {
  const scans = places.map((at, i) => ({
    ...{ id: randomUUID(), at, file: fileId++, visibility: visibility(i) },
    status: i % 5 === 4 ? 'PENDING' : 'COMPLETED',
  }))
  const of = <Key extends keyof (typeof scans)[number]>(key: Key) => scans.map((scan) => scan[key])
  await sql(
    `insert into files (id, key, file_name, mime_type, size, sha256, user_id)
     select id, 'scan-' || id, 'a.glb', 'model/gltf-binary', 1, repeat('0', 64), $2 from unnest($1::bigint[]) as id`,
    [of('file'), userId],
  )
  await sql(
    `insert into scans (id, user_id, file_id, visibility, status, title, captured_at, captured_from, long, lat)
     select id, $1, file, visibility, status, 'Scan', now(), 'caller', long, lat
       from unnest($2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::float8[], $7::float8[])
         as one(id, file, visibility, status, long, lat)`,
    [userId, of('id'), of('file'), of('visibility'), of('status'), places.map(([x]) => x), places.map(([, y]) => y)],
  )
  await service.app.pinIndex.caughtUp()
  return scans.map(({ id, at, ...one }) => ({
    id,
    at,
    isShown: one.visibility === 'public' && one.status === 'COMPLETED',
  }))
}

const near = (reach: number) => fc.double({ min: -reach, max: reach, noNaN: true })
const degrees = fc.oneof(fc.tuple(near(180), near(85)), fc.tuple(near(0.001), near(0.001)))
const keyOf = ({ z, x, y }: { z: number; x: number; y: number }) => `${z}/${x}/${y}`
const counted = (features: Decoded[]): number =>
  features.reduce((sum, { properties }) => sum + Number(properties.point_count ?? 1), 0)

describe('the tiles of scans', () => {
  test('at any zoom level have each public scan in exactly the tile that its degrees say, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(degrees, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 0, max: 22 }),
        async (places, z) => {
          await sql('delete from scans')
          const scans = await place(places, (i) => (i % 3 === 2 ? 'private' : 'public'))
          const inTiles = Map.groupBy(scans, ({ at }) => keyOf(tileAt(z, at)))
          for (const [key, inside] of inTiles) {
            const [, x, y] = key.split('/').map(Number) as [number, number, number]
            const shown = inside.filter(({ isShown }) => isShown).map(({ id }) => id)
            const { features } = await readTile(service.url, 'scans', { z, x, y }, app.headers)
            expect(counted(features)).toBe(shown.length)
            const single = features.flatMap(({ properties }) => (properties.cluster ? [] : [properties.scanId]))
            for (const id of single) expect(shown).toContain(id)
            if (z >= 15) expect(single.toSorted()).toEqual(shown.toSorted())
          }
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('points that are read packed', () => {
  test('are those of SQL, in pages of any size, with numbers or UUIDs as ids', async () => {
    await sql('delete from scans')
    await place(fc.sample(degrees, { numRuns: 100, seed: 7 }), () => 'public')
    await sql(`insert into pins (title, content_type, longitude, latitude)
               select 'P', 'GLB', sin(n) * 180, cos(n) * 90 from generate_series(1, 100) as n`)
    const expected: Record<Exclude<PointCollection, 'gcps'>, string> = {
      pins: `select id, longitude, latitude from pins where visibility = 'public' and place is not null order by id`,
      scans: `select id, long as longitude, lat as latitude from scans where status = 'COMPLETED' order by id`,
    }
    const db = openDatabase({ url: service.databaseUrl, applicationName: 'test', max: 1 })
    const store = tileStore(db.kysely)
    for (const collection of ['pins', 'scans'] as const)
      for (const limit of [1, 7, 1000]) {
        const found: object[] = []
        for (let after: string | undefined, isLast = false; !isLast; ) {
          const page = await store.pageAfter(collection, after, limit)
          page.forEach((id, latitude, longitude) => {
            found.push({ id, longitude, latitude })
          })
          isLast = page.count < limit
          after = page.lastId
        }
        expect(found).toEqual(await sql(expected[collection]))
      }
    await db.close()
  })
})
