import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import proj4 from 'proj4'

/** What the epsg-index package says of one code. `bbox` is north, west, south, east. */
type Entry = {
  kind: string
  name: string
  proj4: string | null
  bbox: [number, number, number, number] | null
  /** Metres, of the best published way to WGS84 for projected systems. */
  accuracy: number | null
}

/** One line of the table the server reads: proj4 text, [west, south, east, north], name and accuracy; or why it cannot be used, and its name. */
type Row = [definition: string, area: number[], name: string, accuracy: number | null] | [reason: string, name: string]

const kinds = new Set(['CRS-PROJCRS', 'CRS-GEOGCRS', 'CRS-GEOG3DCRS', 'CRS-GCENCRS'])

/**
 * Why the definition alone does not lead to WGS84, or undefined when it does. A datum without its shift lands 100 m
 * away and more without any sign of it, so such codes are refused rather than guessed.
 */
function unusable(definition: string): string | undefined {
  const grid = /\+nadgrids=(\S+)/.exec(definition)?.[1]
  if (grid && grid !== '@null') return `it needs the shift grid ${grid.replaceAll('"', '')}`
  if (/\+datum=NAD27/.test(definition)) return 'it needs the shift grids of NAD27'
  const shifted = /\+towgs84=|\+datum=|\+nadgrids=@null|\+ellps=(GRS80|WGS84|GSK2011)/.test(definition)
  return shifted ? undefined : 'no shift from its datum to WGS84 is published with it'
}

function row(entry: Entry): Row | undefined {
  if (!entry.proj4 || !entry.bbox || !kinds.has(entry.kind)) return undefined
  const definition = entry.proj4.replace(' +no_defs', '').replace(' +type=crs', '').trim()
  const reason = unusable(definition)
  if (reason) return [reason, entry.name]
  const [north, west, south, east] = entry.bbox
  try {
    if (entry.kind === 'CRS-GCENCRS') {
      proj4(definition, 'WGS84', [6_400_000, 0, 0])
      return [definition, [west, south, east, north], entry.name, entry.accuracy]
    }
    const middle = [west > east ? 180 : (west + east) / 2, (south + north) / 2]
    const there = proj4('WGS84', definition, middle)
    const back = proj4(definition, 'WGS84', there)
    const around = ((back[0]! - middle[0]! + 540) % 360) - 180
    if (!(Math.hypot(around, back[1]! - middle[1]!) < 1e-6))
      return ['its projection cannot be reversed here', entry.name]
  } catch {
    return ['its projection is not supported here', entry.name]
  }
  return [definition, [west, south, east, north], entry.name, entry.accuracy]
}

/** Writes the reference systems that files of survey points may name: run `node server/scripts/epsg.ts` after updating epsg-index. */
function main() {
  const require = createRequire(import.meta.url)
  const all = require('epsg-index/all.json') as Record<string, Entry>
  const table: Record<string, Row> = {}
  const byName = new Map<string, Row>()
  for (const [code, entry] of Object.entries(all)) {
    const line = row(entry)
    if (line === undefined) continue
    table[code] = line
    if (!byName.has(entry.name)) byName.set(entry.name, line)
  }
  // Of a system combined with heights above the sea, the part for the plane is what leads to WGS84.
  for (const [code, entry] of Object.entries(all)) {
    const plane = entry.kind === 'CRS-COMPOUNDCRS' && byName.get(entry.name.split(' + ')[0]!)
    if (!plane) continue
    table[code] = plane.length === 2 ? [plane[0], entry.name] : [plane[0], plane[1], entry.name, plane[3]]
  }
  const target = new URL('../modules/reference-systems/epsg.json.gz', import.meta.url)
  const bytes = gzipSync(JSON.stringify(table), { level: 9 })
  writeFileSync(target, bytes)
  const usable = Object.values(table).filter((line) => line.length > 2).length
  process.stdout.write(`${usable} of ${Object.keys(table).length} codes usable, ${bytes.length} bytes\n`)
}

main()
