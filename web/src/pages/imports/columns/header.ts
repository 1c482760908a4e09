import type { CsvUploadReport } from '@cairn/sdk'

export type Detected = NonNullable<CsvUploadReport['detected']>
type Field = NonNullable<Detected['fields']>[number]

/** The word that stands for a meaning in a header line that is made here. */
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

/** What a column can be made: the meanings that a survey file usually has. */
export const CHOICES = Object.keys(WORDS)
export const PAIRS = [
  ['easting', 'northing'],
  ['longitude', 'latitude'],
] as const

const unused = (index: number) => `unused ${index + 1}`

/** The columns as the header line would name them. Those of a file without a header get words for what they were taken for. */
export const columnsOf = ({ fields = [], header }: Detected): Field[] =>
  header ? fields : fields.map(({ role }, i) => ({ role, name: (role && WORDS[role]) ?? unused(i) }))

/** Makes a column something else. Where another column is that already, the two exchange what they are; a unit in the name stays. */
export function assignRole(fields: readonly Field[], index: number, role: string | null): Field[] {
  const before = fields[index]!
  const other = role === null ? -1 : fields.findIndex((field) => field.role === role)
  if (other >= 0) return fields.with(index, fields[other]!).with(other, before)
  const unit = /[([][^()[\]]*[)\]]/.exec(before.name)?.[0]
  const word = role === null ? unused(index) : `${WORDS[role] ?? role}${unit ? ` ${unit}` : ''}`
  return fields.with(index, { role, name: word })
}

/** The header line of such columns, in the delimiter of the file. */
export function formatHeader(fields: readonly Field[], delimiter: string): string {
  if (delimiter === 'whitespace') return fields.map(({ name }) => name.replaceAll(/\s+/g, '_')).join(' ')
  const quoted = ({ name }: Field) =>
    name.includes(delimiter) || name.includes('"') ? `"${name.replaceAll('"', '""')}"` : name
  return fields.map(quoted).join(delimiter)
}
