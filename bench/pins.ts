import pg from 'pg'
import { candidates, pinSearch } from '../server/modules/pins/pin-search.ts'
import { openDatabase } from '../server/platform/database/database.ts'
import { bestOfTwo, closedLoop, type Throughput } from './closed-loop.ts'
import { run, withOwnDatabase } from './own-database.ts'

export type PinBench = {
  name: string
  ours: Throughput & { found: number }
  peer: Throughput & { found: number }
  /** Ours to the peer's queries per second. */
  ratio: number
  target: string
}

/** Towns of pins a few kilometres wide, and a tenth spread over the whole earth. */
const seed = (pins: number) => `
  insert into pins (title, content_type, latitude, longitude)
  select 'Pin ' || i, 'GLB', greatest(-90, least(90, town.latitude + (random() + random() + random() - 1.5) * 0.06)),
         town.longitude + (random() + random() + random() - 1.5) * 0.06 / cos(radians(town.latitude))
    from (select random() * 130 - 60 as latitude, random() * 350 - 175 as longitude from generate_series(1, ${Math.ceil(pins / 500)})) as town,
         generate_series(1, 450) as i;
  insert into pins (title, content_type, latitude, longitude)
  select 'Pin', 'GLB', degrees(asin(random() * 2 - 1)), random() * 360 - 180 from generate_series(1, ${Math.ceil(pins / 10)});
  analyze pins`

/**
 * Searches around pins picked at random: the whole of what a request for pins does in the database and after it,
 * against the same statement through pg with nothing around it (candidates neither measured nor sorted).
 * @param url a PostgreSQL that may create databases @param ms length of each measurement @param pins in the table
 */
export function benchPins(url: string, ms = 1500, pins = 100_000): Promise<PinBench[]> {
  return withOwnDatabase(url, async (own) => {
    await run(own, seed(pins))
    const database = openDatabase({ url: own, applicationName: 'bench', max: 16 })
    const bare = new pg.Pool({ connectionString: own, max: 16 })
    try {
      const centres = await pickedAtRandom(own)
      const search = pinSearch(database.pool)
      const results: PinBench[] = []
      for (const [radius, clients, target] of [
        [1000, 16, '≥ 0.8'],
        [100, 16, '≥ 0.8'],
        [1000, 1, '≥ 0.8'],
      ] as const) {
        const near = () => ({
          ...centres[Math.floor(Math.random() * centres.length)]!,
          radius,
          limit: 1000,
          viewerId: undefined,
          nearest: undefined,
          bbox: undefined,
          minH: undefined,
          maxH: undefined,
          contentType: undefined,
          zoneId: undefined,
        })
        const found = { ours: counter(), peer: counter() }
        const ours = () => search(near()).then(found.ours.add)
        const peer = () => bare.query(candidates(near(), radius)).then(({ rows }) => found.peer.add(rows))
        await closedLoop(clients, ms, peer) // connections and pages
        const best = await bestOfTwo({
          ours: () => closedLoop(clients, ms, ours),
          peer: () => closedLoop(clients, ms, peer),
        })
        results.push({
          name: `pins within ${radius} m of ${pins}, ${clients} clients / the same SQL through pg`,
          ours: { ...best.ours, found: found.ours.mean() },
          peer: { ...best.peer, found: found.peer.mean() },
          ratio: best.ours.perSecond / best.peer.perSecond,
          target,
        })
      }
      return results
    } finally {
      await database.close()
      await bare.end()
    }
  })
}

function counter() {
  let calls = 0
  let rows = 0
  return {
    add: (found: unknown[]) => {
      calls++
      rows += found.length
    },
    mean: () => rows / calls,
  }
}

async function pickedAtRandom(url: string): Promise<{ latitude: number; longitude: number }[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select latitude, longitude from pins order by random() limit 5000')
  await client.end()
  return rows
}
