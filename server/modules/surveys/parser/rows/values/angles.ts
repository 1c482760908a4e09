import { hemisphereIn } from './hemisphere.ts'
import { type Decimal, readNumber, tidyNumber } from './numbers.ts'

export type Angle = { degrees: number; hemisphere: 'N' | 'S' | 'E' | 'W' | undefined }

const number = String.raw`\d+(?:[.,]\d+)?`
const degree = `(?: ?(?:deg|[°º˚d:]) ?|-| )`
const minute = `(?: ?(?:min|['′’‘´m:]) ?|-| )`
/** An s is a mark of seconds only in `46d12m30.5s` or beside a letter of the hemisphere: `33 27 05.4 S` is south. */
const second = `(?: ?(?:sec|["″”“]|''|′′|’’|´´|s(?= ?[NSEWO]$)|(?<=^[NSEWO].*|d.*m.*)s)?)?`
const sexagesimal = new RegExp(
  `^([NSEWO])? ?([+-]?)(${number})${degree}(?:(${number})(?:${minute}(?:(${number})${second})?)? ?)?([NSEWO])?$`,
  'i',
)
/** `33d27m05.4S`, where S is the hemisphere: marks of one angle are all small letters, or all capitals. */
const SOUTH_BESIDE_MARKS = /^([^\p{L}]*)d([^\p{L}]*)m([^\p{L}]*)S$/u
/** A word at either end of an angle: `North 52.52`, `70.6693° Ouest`, `37°36' в. д.`, `6° 12' LS` of Indonesia. */
const SIDE =
  /^\p{L}{3,10}\.?(?= ?[\d])|(?<=[\d°º˚'"”′″ ])(?:\p{L}{3,10}\.?|\p{Script=Cyrillic}{1,2}\.? ?[шд]\.?|L[US]|B[TB])$/u
/** `52.31.12,02376`: degrees, minutes and seconds between points. */
const DOTTED = /^([NSEWO]? ?[+-]?\d{1,3})\.([0-5]\d)\.([0-5]\d[.,]\d+)(?=\D*$)/i
const decimalHemisphere = new RegExp(`^([NSEWO])? ?([+-]?)(${number}) ?(?:[°º˚]|deg)? ?([NSEWO])?$`, 'i')

/** Signs of Japan and China: `北緯35度41分22.4秒`, `东经116°23′29″`. */
const HAN: Record<string, string> = { 北: 'N', 南: 'S', 東: 'E', 东: 'E', 西: 'W', 度: '°', 分: "'", 秒: '"' }
const fromHan = (text: string): string =>
  /[度緯纬経經经]/.test(text)
    ? text.replace(/([北南東东西])[緯纬経經经]|[度分秒]/g, (sign, side?: string) => HAN[side ?? sign]!)
    : text

/**
 * Parses degrees as surveyors write them: `46.2084`, `46,2084` (by the file's convention), `46.2084 N`, `46.2084°`,
 * `46°12'30.5"N`, `46° 12.508' N`, `N 46 12 30.5`, `46 12 30.5`, `46:12:30.5`, `46-12-30.5`,
 * `46 deg 12' 30.5" N`. `o` is the meaning of the
 * letter O: ouest, oeste and ovest are west, Ost and oost are east.
 */
export function readAngle(cell: string, decimal: Decimal, o: 'E' | 'W' = 'W'): Angle | undefined {
  const simple = readNumber(cell, decimal)
  if (simple !== undefined) return { degrees: simple, hemisphere: undefined }
  const text = fromHan(tidyNumber(cell))
    .replace(SIDE, (word) => hemisphereIn(word) ?? word)
    .replace(DOTTED, '$1 $2 $3')
    .replace(SOUTH_BESIDE_MARKS, '$1°$2′$3S')
  // A minus behind a number is its sign, as in some exports of spreadsheets and in Arabic, and no mark of degrees.
  if (text.endsWith('-')) return undefined
  const short = decimalHemisphere.exec(text)
  if (short && /[NSEWO°º˚]|deg/i.test(text))
    return angle(short[1] ?? short[4], short[1] && short[4], short[2]!, [short[3]!], o)
  const long = sexagesimal.exec(text)
  if (!long) return undefined
  const parts = [long[3]!, long[4], long[5]].filter((part) => part !== undefined)
  // Two integers separated by a space may be grouped thousands.
  const marked = /[NSEWO°º˚d:'′’‘´-]/i.test(text.slice(1))
  if (!marked && parts.length === 2 && !/[.,]/.test(parts[1]!)) return undefined
  return angle(long[1] ?? long[6], long[1] && long[6], long[2]!, parts, o)
}

/**
 * Only the last part may have a fraction, minutes and seconds are below 60, and a sign beside a hemisphere is refused.
 */
function angle(
  letter: string | undefined,
  second: string | undefined,
  sign: string,
  parts: string[],
  o: 'E' | 'W',
): Angle | undefined {
  if (second || (letter && sign)) return undefined
  const values: number[] = []
  for (const [i, part] of parts.entries()) {
    // Angles have no grouped thousands: either sign is the decimal separator.
    const value = readNumber(part.replace(',', '.'), '.')
    if (value === undefined || (i > 0 && value >= 60)) return undefined
    if (i < parts.length - 1 && !Number.isInteger(value)) return undefined
    values.push(value)
  }
  const size = values[0]! + (values[1] ?? 0) / 60 + (values[2] ?? 0) / 3600
  const upper = letter?.toUpperCase()
  const hemisphere = (upper === 'O' ? o : upper) as Angle['hemisphere']
  const negative = sign === '-' || hemisphere === 'S' || hemisphere === 'W'
  return { degrees: negative ? -size : size, hemisphere }
}
