import type { Found } from './point-table.ts'

/** Maximum number of remembered points, and maximum length of a name. */
const MAX_KNOWN = 50_000
const MAX_TITLE = 64

/**
 * Marks records as repeats that have the name and coordinates of an earlier point: raw files repeat a station in each
 * set-up. One with other coordinates is refused later, as a second point of that name.
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
