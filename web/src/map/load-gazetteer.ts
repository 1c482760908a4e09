import gazetteerUrl from './gazetteer.json?url'
import { folded, type Gazetteer } from './gazetteer.ts'

type Entry = [name: string, lon: number, lat: number, country: string]

/** The ten thousand largest towns of the world (GeoNames), bundled with the console. @param language of the countries @throws if the service does not answer */
export async function loadGazetteer(language: string): Promise<Gazetteer> {
  const response = await fetch(gazetteerUrl)
  if (!response.ok) throw new Error(`${response.status}`)
  const entries = (await response.json()) as Entry[]
  const countries = new Intl.DisplayNames([language], { type: 'region' })
  const seen = new Set<string>()
  const towns = entries.map(([name, lon, lat, code]) => {
    const inCountry = `${name}, ${countries.of(code) ?? code}`
    const label = seen.has(inCountry) ? `${inCountry} (${lat}, ${lon})` : inCountry
    seen.add(inCountry)
    return { label, lat, lon }
  })
  return { towns, names: entries.map(([name]) => folded(name)) }
}
