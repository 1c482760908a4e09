/** A sentence: its three letters, its fields, and whether its checksum is right or absent and no field is missing. */
export type Sentence = { kind: string; fields: string[]; isIntact: boolean; text: string }

/** A sentence, anywhere in a line; a logger may write text on either side, and several on a line. */
const SENTENCE = /\$[A-Z]{2}([A-Z]{3}),([^$*"]*)(?:\*([^$\s",;]{0,2}))?/g
/** Fields of a complete sentence with a position. */
const COMPLETE: Record<string, number> = { GGA: 14, GNS: 12 }
/** The beginning of a position that lost its dollar sign, or ends before its first field. */
const DAMAGED = /(?:^|[^A-Z])(?:\$[A-Z]{2}G(?:G|GA|N|NS)?|[A-Z]{2}(?:GGA,\d|GNS,\d)[^$]{0,200})$/

/** The sentences of a line, in order. */
export function sentencesOf(line: string): Sentence[] {
  return [...line.matchAll(SENTENCE)].map(([text, kind, body, sum]) => {
    const fields = body!.trimEnd().split(',')
    const isComplete = sum !== undefined || fields.length >= (COMPLETE[kind!] ?? 0)
    const isRight = sum === undefined || checksumOf(text.slice(1, text.lastIndexOf('*'))) === sum.toUpperCase()
    return { kind: kind!, fields, isIntact: isComplete && isRight, text }
  })
}

/** Whether a line without sentences has the remains of a position. */
export const isDamaged = (line: string): boolean => DAMAGED.test(line.trimEnd())

/** The exclusive or of all characters between `$` and `*`, in two hexadecimal digits (NMEA 0183, 5.3). */
export function checksumOf(body: string): string {
  let sum = 0
  for (let i = 0; i < body.length; i++) sum ^= body.charCodeAt(i)
  return sum.toString(16).toUpperCase().padStart(2, '0')
}

/** Decimal degrees of `DDDMM.mmmm` and its hemisphere; undefined if invalid. */
export function degreesOf(figure: string, side: string): string | undefined {
  const parts = /^(\d{1,3})(\d\d(?:\.\d{0,12})?)$/.exec(figure)
  if (!parts || !/^[NSEW]$/.test(side) || Number(parts[2]) >= 60) return undefined
  const size = Number(parts[1]) + Number(parts[2]) / 60
  return `${side === 'S' || side === 'W' ? '-' : ''}${size.toFixed(12)}`
}

/** `hh:mm:ss.s` of `hhmmss.s`; invalid texts are returned unchanged. */
export const clockOf = (time: string): string =>
  /^\d{6}(?:\.\d{0,9})?$/.test(time) ? `${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}` : time

/** The date of an RMC or ZDA sentence as `yyyy-mm-dd`; undefined if it has none. */
export function dateIn({ kind, fields }: Sentence): string | undefined {
  if (kind === 'RMC') {
    const parts = /^(\d\d)(\d\d)(\d\d)$/.exec(fields[8] ?? '')
    // GPS began in 1980: two-digit years count from there.
    return parts ? `${Number(parts[3]) >= 80 ? 19 : 20}${parts[3]}-${parts[2]}-${parts[1]}` : undefined
  }
  if (kind !== 'ZDA') return undefined
  const [, day, month, year] = fields
  return /^\d\d$/.test(day ?? '') && /^\d\d$/.test(month ?? '') && /^\d{4}$/.test(year ?? '')
    ? `${year}-${month}-${day}`
    : undefined
}
