/** The international foot. */
export const FOOT = 0.3048
/** The US survey foot, 1200/3937 m (NIST SP 811, B.6). */
const US_FOOT = 1200 / 3937

const lengths: [metres: number, words: string][] = [
  [1, 'm meter meters metre metres metro metros metri metr'],
  [0.1, 'dm'],
  [0.01, 'cm'],
  [0.001, 'mm'],
  [1000, 'km'],
  [
    FOOT,
    'ft feet foot ift ftint intft internationalfoot internationalfeet fuss fuß pied pieds pie pies pé pés piede piedi fot fod voet stopy стопа фут футы футов футах 英尺 フィート 피트 intlft intlfeet intlfoot',
  ],
  [3 * FOOT, 'yd yard yards'],
  [FOOT / 12, 'inch inches zoll'],
  [6 * FOOT, 'fathom fathoms'],
  [66 * US_FOOT, 'chain chains'],
  [0.66 * US_FOOT, 'link links'],
  [US_FOOT, 'ftus usft usfeet usfoot ussurveyfoot ussurveyfeet surveyfoot surveyfeet sft ussft footus'],
]
const angles: [degrees: number, words: string][] = [
  [1, '° deg degree degrees dd dms ddmmss decimaldegrees grad° grados gradi graden'],
  [0.9, 'gon gons grad grads grade grades gradian gradians'],
  [180 / Math.PI, 'rad radian radians'],
]

/** Words that say what heights are above, or which grid coordinates are of, beside a unit. */
const BESIDE_UNIT =
  /^(?:in|ü|ue|über|ueber|above|sobre|sur|sea|level|mean|le|la|de|del|nivel|niveau|mar|mer|a?msl|asl|nhn|nn|hn|nap|ngf|hae|ell|ellips\w*|elips\w*|ortho?\w*|orto\w*|navd ?88|ngvd ?29|dhhn ?\d{2,4}|egm ?\d{2,4}|geoid ?\d{2}\w?|wgs ?84|grid|nad ?\d{2,4}|etrs ?\d{2,4}|utm ?\d{0,2}[a-z]?|state|plane)\.?$/i
/** Maximum words of a text with a unit. */
const MAX_WORDS = 12

const byWord = (table: [number, string][]) =>
  new Map(table.flatMap(([size, words]) => words.split(' ').map((word) => [word, size])))
const metresBy = byWord(lengths)
const degreesBy = byWord(angles)

const plain = (word: string) => word.toLowerCase().replace(/[\s._-]/g, '')

/** The factor of a unit of length to metres; undefined for an unknown word. */
export const unitOf = (word: string): number | undefined => metresBy.get(plain(word))

/**
 * The unit of length in a text that otherwise only says what heights are above or names a grid, as in `NAVD88 ft`,
 * `m ü. NHN`, `US survey feet, MSL`. Undefined beside any other word: `±2 cm` and `foot of wall` are no units of a column.
 */
export function unitWordIn(text: string): string | undefined {
  if (unitOf(text) !== undefined) return text
  const words = text
    .replace(/\b(navd|ngvd|dhhn|egm|geoid|wgs|nad|etrs|utm)\s(?=\d)/gi, '$1')
    .split(/[\s,;:/]+|-(?=\D)/)
    .filter((word) => word !== '')
  if (words.length > MAX_WORDS) return undefined
  const areBeside = (some: string[]) => some.every((word) => BESIDE_UNIT.test(word))
  for (const size of [3, 2, 1])
    for (const from of words.keys()) {
      const unit = words.slice(from, from + size).join(' ')
      const rest = [...words.slice(0, from), ...words.slice(from + size)]
      if (unitOf(unit) !== undefined && areBeside(rest)) return unit
    }
  return undefined
}

const LABEL = '(?:units?(?: of (?:measure(?:ment)?|length))?|einheit(?:en)?|unités?|unidad(?:es)?)'
const NAMES = '[ "]{0,9}[:=,;\\t][\\s"]{0,9}(.{1,60})$'
/** Lines above a table that name the unit of its heights: those about heights go before others. */
const UNIT_LINES = [
  new RegExp(`^[^\\p{L}]{0,20}(?:vertical|height|elevation|altitude)s?[ -]${LABEL}${NAMES}`, 'iu'),
  /^[^\p{L}]{0,20}(?:all )?(?:heights?|elevations?|altitudes?|höhen)(?: are)?(?: ?: ?| in )(.{1,60})$/iu,
  new RegExp(`^[^\\p{L}]{0,20}(?:linear )?${LABEL}${NAMES}`, 'iu'),
]

/** A unit of length and the line that names it. */
export type UnitAbove = { unit: number; line: string }

/**
 * The unit of heights in a line above a table, as in `Units: US survey feet` or `Elevations in feet`: metres or feet.
 * Undefined if lines contradict each other.
 */
export function unitAbove(lines: readonly string[]): UnitAbove | undefined {
  for (const pattern of UNIT_LINES) {
    const named = lines.flatMap((line): UnitAbove[] => {
      const text = line.length > 200 ? undefined : pattern.exec(line)?.[1]
      const unit = unitOf(unitWordIn(text?.replace(/[^\p{L}\d]+$/u, '') ?? '') ?? '')
      return unit !== undefined && unit >= FOOT && unit <= 1 && unit !== 3 * FOOT ? [{ unit, line }] : []
    })
    if (named.length > 0) return named.every(({ unit }) => unit === named[0]!.unit) ? named[0] : undefined
  }
  return undefined
}

const names = new Map([
  [1, 'metres'],
  [FOOT, 'international feet (0.3048 m)'],
  [US_FOOT, 'US survey feet (0.3048006 m)'],
])

/** The name of a unit of length with its size: `US survey feet (0.3048006 m)`. */
export const nameOfUnit = (metres: number): string => names.get(metres) ?? `units of ${Number(metres.toPrecision(7))} m`

/** Whether a unit of length is the international foot by its name, and not one of two feet. */
export const isInternationalFoot = (word: string): boolean => unitOf(word) === FOOT && /^i|int/.test(plain(word))

/** The factor of a unit of length beside numbers in the unit `around`: `ft` is that foot if it is one. */
export function unitBeside(word: string, around: number): number | undefined {
  const unit = unitOf(word)
  return unit === FOOT && !isInternationalFoot(word) && Math.abs(around / FOOT - 1) < 1e-4 ? around : unit
}

/** The factor of a unit of angle to degrees; undefined for an unknown word. A gon is 0.9°. */
export const angleUnitOf = (word: string): number | undefined => degreesBy.get(plain(word))

/** In German and Scandinavian languages `Grad` is a degree; elsewhere a gon. */
const GERMANIC =
  /^\P{L}*(?:geo\p{L}*\P{L}+)?(?:(?:nörd|öst)liche\P{L}+)?(?:breite|l(?:ä|ae)nge|bredd|lengde|l(?:ä|æ)ngd)/iu
/** `gr` is a gon in French. Elsewhere it may be a degree, as in `Latitud (gr)`. */
const FRENCH = /^\P{L}*(?:latitude|longitude)(?!\p{L})/iu

/** The factor of a unit of angles to degrees under a header whose language may decide what it is. */
export function angleUnitUnder(header: string, unit: string): number | undefined {
  const word = plain(unit)
  if (/^grd?$/.test(word)) return FRENCH.test(header) ? degreesBy.get('gon') : undefined
  return word === 'grad' && GERMANIC.test(header) ? 1 : degreesBy.get(word)
}
