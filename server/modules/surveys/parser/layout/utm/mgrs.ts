/** Zone, band, square of 100 km, and an easting and a northing with as many figures: `33UUU 91776 20072`. */
const REFERENCE = /^(0?[1-9]|[1-5]\d|60) ?([C-HJ-NP-X]) ?([A-HJ-NP-Z])([A-HJ-NP-V]) ?(\d{3,8} \d{3,8}|\d{6,16})$/i
const COLUMNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const ROWS = 'ABCDEFGHJKLMNPQRSTUV'
const BANDS = 'CDEFGHJKLMNPQRSTUVWX'
/** The northings at which the bands begin, rounded down to 100 km. */
const BAND_STARTS = [11, 20, 28, 37, 46, 55, 64, 73, 82, 91, 0, 8, 17, 26, 35, 44, 53, 62, 70, 79]
const SQUARE = 1e5
const ROWS_OF_ODD_ZONES = 0
const ROWS_OF_EVEN_ZONES = 5
const FIGURES = 5

/** A position in a zone of UTM, in metres, and the largest error of its figures. */
type GridReference = { zone: string; easting: number; northing: number; error: number }

/**
 * The middle of the square that a reference of the Military Grid Reference System names (NGA.STND.0037, 3.4), and half
 * its diagonal. The zone has N in the north, otherwise the letter of its band. Undefined for other texts, and for
 * letters that the zone or the band does not have.
 */
export function mgrsReference(text: string): GridReference | undefined {
  const found = REFERENCE.exec(text.trim())
  if (!found) return undefined
  const [number, band, column, row, figures] = found.slice(1).map((part) => part.toUpperCase())
  const [east, north] = halvesOf(figures!)
  const zone = Number(number)
  // Each zone has eight columns; the letters begin again after three.
  const inZone = COLUMNS.indexOf(column!) - ((zone - 1) % 3) * 8
  if (east.length !== north.length || inZone < 0 || inZone > 7) return undefined
  const size = 10 ** (FIGURES - east.length)
  const shift = zone % 2 === 1 ? ROWS_OF_ODD_ZONES : ROWS_OF_EVEN_ZONES
  const start = BAND_STARTS[BANDS.indexOf(band!)]!
  const own = (ROWS.indexOf(row!) - shift + ROWS.length) % ROWS.length
  // The letters of rows repeat every 2,000 km; a band has at most ten of them, and the last fifteen.
  const above = (own - (start % ROWS.length) + ROWS.length) % ROWS.length
  if (above > (band === 'X' ? 14 : 9)) return undefined
  return {
    zone: `${zone}${band! >= 'N' ? 'N' : band}`,
    easting: (inZone + 1) * SQUARE + (Number(east) + 0.5) * size,
    northing: (start + above) * SQUARE + (Number(north) + 0.5) * size,
    error: Math.SQRT1_2 * size,
  }
}

const halvesOf = (figures: string): [string, string] => {
  const half = figures.length >> 1
  const [east = '', north] = figures.split(' ')
  return north === undefined ? [figures.slice(0, half), figures.slice(half)] : [east, north]
}

/** Records split at spaces with the parts of a reference, such as `33UUU`, `91776` and `20072`, joined. */
export function withWholeReferences(fields: string[]): string[] {
  for (const [at] of fields.entries())
    for (const parts of [4, 3, 2]) {
      const text = fields.slice(at, at + parts).join(' ')
      if (at + parts <= fields.length && mgrsReference(text)) return fields.toSpliced(at, parts, text)
    }
  return fields
}
