import type { Found } from './point-table.ts'

/** Points that are remembered, and the longest name of one. */
const MAX_KNOWN = 50_000
const MAX_TITLE = 64

/**
 * The same records, with those marked as repeats that give a point with the coordinates it already has: raw files name
 * a station again in each set-up. One with other coordinates stays, and is refused as a second point of that name.
 */
export async function* withRepeats(records: AsyncIterable<Found>): AsyncGenerator<Found, void, undefined> {
  const known = new Map<string, string>()
  for await (const found of records) {
    const { title, cells, fault } = found
    if (fault || title === '' || title.length > MAX_TITLE) {
      yield found
      continue
    }
    const place = ['northing', 'easting', 'z', 'altitude', 'latitude', 'longitude', 'ellipsoidalHeight']
      .map((field) => cells[field as 'z'] ?? '')
      .map((figure) => (figure === '' ? '' : String(Number(figure.slice(0, 32)))))
      .join(' ')
    if (known.get(title) === place) yield { ...found, isRepeat: true }
    else {
      if (known.size < MAX_KNOWN && !known.has(title)) known.set(title, place)
      yield found
    }
  }
}
