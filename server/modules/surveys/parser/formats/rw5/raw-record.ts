/** A record of an RW5 file: its type, its values by header, and its note. The type of a comment begins with `--`. */
export type RawRecord = { type: string; values: Record<string, string>; note: string }

/** Headers of the values that are read, longer ones first. */
const headers = ['PN', 'OP', 'FP', 'BP', 'LA', 'LN', 'EL', 'HR', 'UN', 'N ', 'E ']

export function rawRecordOf(line: string): RawRecord {
  const text = line.trim()
  const start = text.startsWith('--') ? 2 : 0
  const noteAt = text.indexOf(',--', start)
  const parts = (noteAt < 0 ? text : text.slice(0, noteAt)).split(',')
  const values: Record<string, string> = {}
  for (const part of parts.slice(1)) {
    const header = headers.find((one) => part.startsWith(one))
    if (header) values[header.trim()] ??= part.slice(header.length).trim()
  }
  return { type: parts[0]!, values, note: noteAt < 0 ? '' : text.slice(noteAt + 3).trim() }
}

/** Decimal degrees of `-DDD.MMSSsss`, exact to 1e-12; undefined if invalid. */
export function degreesOf(packed: string): string | undefined {
  const parts = /^([+-]?)(\d{1,3})\.(\d\d)(\d\d)(\d{0,12})$/.exec(packed)
  if (!parts) return undefined
  const [, sign, degrees, minutes, seconds, fraction] = parts
  if (Number(minutes) >= 60 || Number(seconds) >= 60) return undefined
  const size = Number(degrees) + Number(minutes) / 60 + Number(`${seconds}.${fraction || '0'}`) / 3600
  return `${sign === '-' ? '-' : ''}${size.toFixed(12)}`
}

/** Horizontal and vertical accuracies in metres of a comment such as `--HRMS:0.023, VRMS:0.026, STATUS:FIXED`. */
export function accuraciesIn(comment: string): { accuracyH: string; accuracyV: string } | undefined {
  const found = /^--\s?H(?:RMS|SDV):\s?(\d{1,6}\.\d{1,6}),\s?V(?:RMS|SDV):\s?(\d{1,6}\.\d{1,6})/.exec(comment)
  return found ? { accuracyH: found[1]!, accuracyV: found[2]! } : undefined
}
