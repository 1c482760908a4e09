/** A sentence: its three letters, its fields, and whether its checksum is right or absent. */
export type Sentence = { kind: string; fields: string[]; isIntact: boolean }

/** The sentence in a line, after any prefix of a logger; undefined if there is none. */
export function sentenceOf(line: string): Sentence | undefined {
  const start = line.indexOf('$')
  if (start < 0) return undefined
  const text = line.slice(start + 1).trimEnd()
  const star = text.lastIndexOf('*')
  const body = star < 0 ? text : text.slice(0, star)
  const fields = body.split(',')
  const kind = /^[A-Z]{2}([A-Z]{3})$/.exec(fields[0]!)?.[1]
  if (kind === undefined) return undefined
  return {
    kind,
    fields: fields.slice(1),
    isIntact: star < 0 || checksumOf(body) === text.slice(star + 1).toUpperCase(),
  }
}

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
