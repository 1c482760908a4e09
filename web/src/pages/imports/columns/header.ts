import type { CsvUploadReport } from '@cairn/sdk'

export type Detected = NonNullable<CsvUploadReport['detected']>
type Field = NonNullable<Detected['fields']>[number]

/** The header name of each field in a generated header row. */
const WORDS: Record<string, string> = {
  title: 'title',
  latitude: 'lat',
  longitude: 'lon',
  easting: 'easting',
  northing: 'northing',
  h: 'ellipsoidal height',
  altitude: 'altitude',
  z: 'height',
  aprilTagId: 'april tag',
  description: 'description',
  accuracyH: 'accuracy xy',
  accuracyV: 'accuracy z',
  photoUrls: 'photos',
}

/** The fields a user can assign to a column. */
export const CHOICES = Object.keys(WORDS)
export const PAIRS = [
  ['easting', 'northing'],
  ['longitude', 'latitude'],
] as const

const unused = (index: number) => `unused ${index + 1}`

/** The columns with their header names. Files without a header get generated names. */
export const columnsOf = ({ fields = [], header }: Detected): Field[] =>
  header ? fields : fields.map(({ role }, i) => ({ role, name: (role && WORDS[role]) ?? unused(i) }))

/** Assigns a field to a column. If another column has that field, the two swap. A unit in the name is kept. */
export function assignRole(fields: readonly Field[], index: number, role: string | null): Field[] {
  const before = fields[index]!
  const other = role === null ? -1 : fields.findIndex((field) => field.role === role)
  if (other >= 0) return fields.with(index, fields[other]!).with(other, before)
  const unit = /[([][^()[\]]*[)\]]/.exec(before.name)?.[0]
  const word = role === null ? unused(index) : `${WORDS[role] ?? role}${unit ? ` ${unit}` : ''}`
  return fields.with(index, { role, name: word })
}

/** The header row for these columns, in the file's delimiter. */
export function formatHeader(fields: readonly Field[], delimiter: string): string {
  if (delimiter === 'whitespace') return fields.map(({ name }) => name.replaceAll(/\s+/g, '_')).join(' ')
  const quoted = ({ name }: Field) =>
    name.includes(delimiter) || name.includes('"') ? `"${name.replaceAll('"', '""')}"` : name
  return fields.map(quoted).join(delimiter)
}
