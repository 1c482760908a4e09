import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import pg from 'pg'
import { runSql, withTemporaryDatabase } from '../../databases/temporary-database.ts'
import { closedLoop } from '../../load/closed-loop.ts'
import { interleaved } from '../../load/interleaved.ts'
import { rawClient } from '../../load/raw-client.ts'
import { startChild } from '../../processes/child.ts'
import type { Comparison } from '../../record/comparison.ts'
import { isInMemory, seedPins } from './pins.ts'

const CLIENTS = 16
/** Tiles that are requested once each, and those of them that are requested again. */
const COLD = 3000
const WARM = 400
const ZOOMS = [0, 2, 4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]

type Place = { latitude: number; longitude: number }
type Tile = { z: number; x: number; y: number }
type Server = { url: string; cpu: () => Promise<number> }

/**
 * Vector tiles of a million pins over HTTP, where there are pins. Cold: each tile once, which is made; beside it, the
 * library geojson-vt with clusters, in the process and without HTTP. Warm: finished tiles; beside it, bare node:http with
 * a body of the same size.
 * @param url a PostgreSQL that may create databases
 */
export function benchTiles(url: string, ms = 3000, pins = 1_000_000): Promise<Comparison[]> {
  return withTemporaryDatabase(url, async (own) => {
    await runSql(own, seedPins(pins))
    await runSql(own, 'vacuum analyze pins')
    const places = await placesOf(own)
    const tiles = tilesWithPins(places)
    const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-tiles-'))
    const service = await startChild<{ url: string }>('service-process.ts', [own, folder])
    const http = rawClient(service.url, CLIENTS)
    const get = ({ z, x, y }: Tile) => http.get(`/ogc/collections/pins/tiles/WebMercatorQuad/${z}/${y}/${x}`)
    try {
      // What is measured is not the load of the index of pins.
      await isInMemory(service.url)
      const loading = performance.now()
      await get({ z: 0, x: 0, y: 0 })
      const loadSeconds = (performance.now() - loading) / 1000

      const cold = await onceEach(tiles, get, service)
      const library = clustersOf(places, tiles)
      const bytes = Math.round(cold.bytes / tiles.length)
      const bare = await startChild<{ url: string }>('bare-process.ts', [own, '', 'x'.repeat(bytes)])
      const bareHttp = rawClient(bare.url, CLIENTS)
      const some = tiles.slice(0, WARM)
      for (const tile of some) await get(tile)
      const loop = (server: Server, request: () => Promise<number>) => async (ms: number) => {
        const before = await server.cpu()
        const measured = await closedLoop(CLIENTS, ms, request)
        const requests = measured.perSecond * measured.seconds
        return { ...measured, cpuMicroseconds: ((await server.cpu()) - before) / requests }
      }
      const warm = await interleaved(
        {
          ours: loop(service, () => get(some[Math.floor(Math.random() * some.length)]!)),
          bare: loop(bare, () => bareHttp.get('/kept')),
        },
        { ms, rounds: 5 },
      )
      bareHttp.close()
      await bare.stop()
      return [
        {
          name: `cold tiles of ${pins} pins over HTTP / geojson-vt in the process, without properties`,
          ours: { ...cold, bytes, loadSeconds },
          peer: library,
          ratio: cold.perSecond / library.perSecond,
          target: 'none: how far one process goes',
        },
        {
          name: `finished tiles of ${pins} pins over HTTP / bare node:http with as many bytes, CPU`,
          ours: warm.ours,
          peer: warm.bare,
          ratio: warm.bare.cpuMicroseconds! / warm.ours.cpuMicroseconds!,
          target: 'none: validation, limits and the log of a request',
        },
      ]
    } finally {
      http.close()
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

async function placesOf(url: string): Promise<Place[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Place>('select latitude, longitude from pins where abs(latitude) < 85')
  await client.end()
  return rows
}

/** Distinct tiles with pins, of all zoom levels by turns. */
function tilesWithPins(places: Place[]): Tile[] {
  const found = new Map<string, Tile>()
  for (let i = 0; found.size < COLD; i++) {
    const { latitude, longitude } = places[Math.floor(Math.random() * places.length)]!
    const z = ZOOMS[i % ZOOMS.length]!
    const y = (1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2
    const tile = { z, x: Math.floor(((longitude + 180) / 360) * 2 ** z), y: Math.floor(y * 2 ** z) }
    found.set(JSON.stringify(tile), tile)
  }
  return [...found.values()]
}

async function onceEach(tiles: Tile[], get: (tile: Tile) => Promise<number>, server: Server) {
  let [next, bytes] = [0, 0]
  const took: number[] = []
  const before = await server.cpu()
  const start = performance.now()
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let tile = tiles[next++]; tile; tile = tiles[next++]) {
        const began = performance.now()
        const size = await get(tile)
        bytes += size
        took.push(performance.now() - began)
      }
    }),
  )
  const seconds = (performance.now() - start) / 1000
  took.sort((a, b) => a - b)
  return {
    perSecond: tiles.length / seconds,
    p50Ms: took[Math.floor(took.length * 0.5)]!,
    p99Ms: took[Math.floor(took.length * 0.99)]!,
    cpuMicroseconds: ((await server.cpu()) - before) / tiles.length,
    bytes,
  }
}

/** The same tiles by geojson-vt, one after the other. */
function clustersOf(places: Place[], tiles: Tile[]) {
  const began = performance.now()
  const features = places.map(
    ({ latitude, longitude }): GeoJSON.Feature => ({
      type: 'Feature',
      properties: {},
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    }),
  )
  const clusterOptions = { radius: 64, maxZoom: 14, extent: 512 }
  const index = new GeoJSONVT({ type: 'FeatureCollection', features }, { cluster: true, maxZoom: 17, clusterOptions })
  const loadSeconds = (performance.now() - began) / 1000
  const start = performance.now()
  for (const { z, x, y } of tiles) {
    const tile = index.getTile(z, x, y)
    if (tile) fromGeojsonVt({ pins: tile }, { version: 2, extent: 4096 })
  }
  return { perSecond: (tiles.length / (performance.now() - start)) * 1000, loadSeconds }
}
