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
    'ft feet foot ift ftint intft internationalfoot internationalfeet fuss pied pieds pie pies intlft intlfeet intlfoot',
  ],
  [3 * FOOT, 'yd yard yards'],
  [US_FOOT, 'ftus usft usfeet usfoot ussurveyfoot ussurveyfeet surveyfoot surveyfeet sft ussft footus'],
]
const angles: [degrees: number, words: string][] = [
  [1, '° deg degree degrees dd dms ddmmss decimaldegrees grad° grados gradi graden'],
  [0.9, 'gon grad grads'],
  [180 / Math.PI, 'rad radian radians'],
]

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
 * The unit of length in a text with other words, as in `NAVD88 ft`, `m ü. NHN`, `US survey feet, MSL`. A single letter
 * is one at either end alone. Undefined without a unit, or with several.
 */
export function unitWordIn(text: string): string | undefined {
  if (unitOf(text) !== undefined) return text
  const words = text.split(/[\s,;:/]+|-(?=\D)/).filter((word) => word !== '')
  if (words.length > MAX_WORDS) return undefined
  const isUnit = (from: number, to: number) => {
    const run = words.slice(from, to).join(' ')
    return unitOf(run) !== undefined && (plain(run).length > 1 || from === 0 || to === words.length)
  }
  const found: string[] = []
  for (let from = 0; from < words.length; from++) {
    const size = [3, 2, 1].find((count) => from + count <= words.length && isUnit(from, from + count))
    if (size === undefined) continue
    found.push(words.slice(from, from + size).join(' '))
    from += size - 1
  }
  return new Set(found.map(unitOf)).size === 1 ? found[0] : undefined
}

const UNIT_LINE =
  /^[^\p{L}]{0,20}(?:(?:linear|length|distance|vertical|height|elevation|coordinates?)s?[ -]?)?(?:units?(?: of (?:measure(?:ment)?|length))?|einheit(?:en)?|unités?|unidad(?:es)?)[ "]{0,9}[:=,;\t][\s"]{0,9}(.{1,60})$/iu
const HEIGHT_LINE =
  /^[^\p{L}]{0,20}(?:all )?(?:heights?|elevations?|altitudes?|höhen)(?: are)?(?: ?: ?| in )(.{1,60})$/iu

/** The unit of heights in a line above a table, as in `Units: US survey feet` or `Elevations in feet`. */
export function unitAbove(lines: readonly string[]): number | undefined {
  const words = lines.map((line) => {
    const named = line.length > 200 ? undefined : (HEIGHT_LINE.exec(line) ?? UNIT_LINE.exec(line))
    // `Elevation: 120 m` is that of the site.
    return named && !/(?<!\p{L}\d*)\d/u.test(named[1]!) ? unitWordIn(named[1]!.replace(/[^\p{L}]+$/u, '')) : undefined
  })
  const word = words.find((found) => found !== undefined)
  return word === undefined ? undefined : unitOf(word)
}

/** Whether a unit of length is the international foot by its name, and not one of two feet. */
export const isInternationalFoot = (word: string): boolean => unitOf(word) === FOOT && /^i|int/.test(plain(word))

/** The factor of a unit of length beside numbers in the unit `around`: `ft` is that foot if it is one. */
export function unitBeside(word: string, around: number): number | undefined {
  const unit = unitOf(word)
  return unit === FOOT && !isInternationalFoot(word) && Math.abs(around / FOOT - 1) < 1e-4 ? around : unit
}

/** The factor of a unit of angle to degrees; undefined for an unknown word. A gon is 0.9°. */
export const angleUnitOf = (word: string): number | undefined => degreesBy.get(plain(word))
