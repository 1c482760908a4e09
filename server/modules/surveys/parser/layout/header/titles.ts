import type { Column, Columns } from '../columns.ts'

/** Suffixes of title headers that are not in the list: `local_id`, `Reference Point Number`, `GCP_PointNr`. */
const TITLE_END =
  /(?:^|[^a-z])(?:id|identifier|name|number|no|nr|label|nummer)\.?\s*$|[a-z](?:Id|ID|Name|Number|No|Nr|Label)$/
const NO_TITLE = /fix|station|satellite|device|serial|image|photo|file|project|user|author|zone|group|layer|code/i

/** First columns that name no points. */
const NO_FIRST_TITLE =
  /date|time|fecha|hora|heure|zeit|datum|дата|время|日|時|时|epoch|tow\b|week|dist|chain|offset|name of|speed|dop\b|sat|^\W*$/i

const plainLetters = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '')

/** The share of rows with a unique text in a column; 0 if it has measured numbers. */
function ownTexts(rows: readonly string[][], index: number): number {
  const texts = rows.map((fields) => fields[index]?.trim() ?? '')
  if (texts.length === 0 || texts.every((text) => /^[+-]?\d{1,12}[.,]\d{2,12}$/.test(text))) return 0
  return new Set(texts.filter((text) => text !== '')).size / texts.length
}

/** Headers of titles that name the target on the ground: beside another title they may hold its tag. */
const TARGET = /marker|target|tag|fiducial/i

/** Whether a column has the numbers of AprilTags: whole numbers, as far as it is filled. */
function isTags({ index, name }: Column, rows: readonly string[][]): boolean {
  const cells = rows.map((fields) => fields[index]?.trim() ?? '').filter((cell) => cell !== '')
  return TARGET.test(name) && cells.every((cell) => /^\d{1,5}$/.test(cell))
}

/** Names of photos name the points of a file that has no other titles. */
function withPhotoTitle(columns: Columns, rows: readonly string[][]): Columns {
  const { photoUrls, ...rest } = columns
  const [photo, ...others] = photoUrls ?? []
  if (!photo || others.length > 0 || columns.photoPosition || ownTexts(rows, photo.index) < 1) return columns
  return rows.some((fields) => /:\/\//.test(fields[photo.index] ?? '')) ? columns : { ...rest, title: [photo] }
}

/** In a table, a first column with an unknown header and a text in each row, all different. An N beside x and y is a number. */
function withFirstTitle(
  columns: Columns,
  header: readonly string[],
  rows: readonly string[][],
  isTable: boolean,
): Columns {
  const name = header[0]?.trim() ?? ''
  const isSpare = columns.northing !== undefined && columns.easting === undefined
  const { northing, ...rest } = columns
  const others = isSpare ? rest : columns
  if (columns.title || !isTable || name.length > 60 || NO_TITLE.test(name) || NO_FIRST_TITLE.test(name)) return columns
  if (titleByEnd(columns, header, rows) !== undefined) return columns
  if (Object.values(others).some((list) => list.some(({ index }) => index === 0))) return columns
  const texts = rows.map((fields) => fields[0]?.trim() ?? '')
  const areNames = texts.every((text) => /^\d{1,7}$/.test(text) || (/\p{L}/u.test(text) && text.length <= 60))
  return rows.length > 1 && areNames && ownTexts(rows, 0) === 1
    ? { ...others, title: [{ index: 0, name: name.replace(/^#\s*/, ''), unit: undefined }] }
    : columns
}

/** A column without a role whose header ends like a title and whose text differs in each row. */
function titleByEnd(columns: Columns, header: readonly string[], rows: readonly string[][]): number | undefined {
  const taken = new Set(Object.values(columns).flatMap((list) => list.map(({ index }) => index)))
  const found = header.findIndex((cell, index) => {
    const name = cell.trim()
    if (taken.has(index) || name.length > 60 || NO_TITLE.test(name)) return false
    if (!TITLE_END.test(name) && !TITLE_END.test(name.toLowerCase())) return false
    return ownTexts(rows, index) === 1
  })
  return found < 0 ? undefined : found
}

/** Without a column of titles, one with such a header, one of photos or codes that differ, or the first names the points. */
export function withTitle(
  given: Columns,
  header: readonly string[],
  rows: readonly string[][],
  isTable: boolean,
): Columns {
  const columns = given.title ? given : withFirstTitle(withPhotoTitle(given, rows), header, rows, isTable)
  if (columns.title && columns.title.length > 1) {
    // `Station` is a title in some files and a distance along a line in others; a repeated title is still one.
    const own = columns.title.find(({ index }) => ownTexts(rows, index) > 0.5)
    if (!own) return columns
    const others = columns.title.filter((column) => column !== own)
    const tags = columns.aprilTagId ? undefined : others.find((column) => isTags(column, rows))
    const title = [own, ...others.filter((column) => column !== tags)]
    return { ...columns, title, ...(tags && { aprilTagId: [tags] }) }
  }
  const ended = columns.title ? undefined : titleByEnd(columns, header, rows)
  if (ended !== undefined)
    return { ...columns, title: [{ index: ended, name: header[ended]!.trim().replace(/^#\s*/, ''), unit: undefined }] }
  const codes = columns.description?.filter(
    ({ name, index }) => /^(?:k|c)od(?:e|igo|ice)?$/i.test(plainLetters(name.trim())) && ownTexts(rows, index) === 1,
  )
  if (columns.title || !codes?.[0]) return columns
  const description = columns.description!.filter((column) => !codes.includes(column))
  const { description: _, ...rest } = columns
  return { ...rest, title: codes, ...(description.length > 0 && { description }) }
}
