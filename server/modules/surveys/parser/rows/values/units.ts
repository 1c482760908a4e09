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
  [FOOT, 'ft feet foot ift ftint intft internationalfoot internationalfeet fuss pied pieds pie pies'],
  [3 * FOOT, 'yd yard yards'],
  [US_FOOT, 'ftus usft usfeet usfoot ussurveyfoot ussurveyfeet surveyfoot surveyfeet sft ussft footus'],
]
const angles: [degrees: number, words: string][] = [
  [1, '° deg degree degrees dd dms ddmmss decimaldegrees grad° grados gradi graden'],
  [0.9, 'gon grad grads'],
  [180 / Math.PI, 'rad radian radians'],
]

const byWord = (table: [number, string][]) =>
  new Map(table.flatMap(([size, words]) => words.split(' ').map((word) => [word, size])))
const metresBy = byWord(lengths)
const degreesBy = byWord(angles)

const plain = (word: string) => word.toLowerCase().replace(/[\s._-]/g, '')

/** The factor of a unit of length to metres; undefined for an unknown word. */
export const unitOf = (word: string): number | undefined => metresBy.get(plain(word))

/** Whether a unit of length is the international foot by its name, and not one of two feet. */
export const isInternationalFoot = (word: string): boolean => unitOf(word) === FOOT && /^i|int/.test(plain(word))

/** The factor of a unit of length beside numbers in the unit `around`: `ft` is that foot if it is one. */
export function unitBeside(word: string, around: number): number | undefined {
  const unit = unitOf(word)
  return unit === FOOT && !isInternationalFoot(word) && Math.abs(around / FOOT - 1) < 1e-4 ? around : unit
}

/** The factor of a unit of angle to degrees; undefined for an unknown word. A gon is 0.9°. */
export const angleUnitOf = (word: string): number | undefined => degreesBy.get(plain(word))
