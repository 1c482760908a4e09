import type { Columns } from '../layout/columns.ts'
import { truncate } from '../truncate.ts'
import type { PointHeights } from './heights/heights.ts'
import type { Row } from './row.ts'
import { guardText, unguardText } from './text-guard.ts'

/*
 * The encoding of points in this service's CSV exports: texts are restored exactly, and no spreadsheet reads one as a
 * formula. The column `heightDatum` identifies such a file; other files are not decoded.
 */

/** Field limits of a point that was not imported. */
export const MAX_EXPORTED_DATA = 65_536
const MAX_EXPORTED_PHOTOS = 100

const JSON_TEXT = /^json:"/

/** Text that a table cannot represent (a space at an end, a carriage return) is written as `json:"…"`. */
export function writtenText(text: string | null): string | null {
  if (text === null) return null
  const isPlain = text === text.trim() && !text.includes('\r') && !JSON_TEXT.test(text)
  return isPlain ? guardText(text) : `json:${JSON.stringify(text)}`
}

/** The original text; a cell edited since is taken literally. */
export function readText(cell: string): string {
  const text = JSON_TEXT.test(cell) ? parsed(cell.slice('json:'.length)) : undefined
  return typeof text === 'string' ? text : unguardText(cell)
}

/** URLs separated by spaces, or a JSON list if one has a space. */
export const writtenAddresses = (addresses: readonly string[]): string | null =>
  addresses.some((address) => /\s/.test(address)) ? JSON.stringify(addresses) : addresses.join(' ') || null

function readAddresses(cell: string): string[] {
  const list = cell.startsWith('[') ? parsed(cell) : undefined
  if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list
  return cell.split(/\s+/).filter(Boolean)
}

export function exportedPhotos(row: Row): string[] {
  const urls = readAddresses(row.cell('photoUrls'))
  if (urls.length > MAX_EXPORTED_PHOTOS)
    row.fault('photoUrls', 'TOO_MANY_PHOTOS', `${urls.length} photos, ${MAX_EXPORTED_PHOTOS} are allowed`)
  const bad = urls.find((url) => url.length > 2048 || !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
  if (bad !== undefined) row.fault('photoUrls', 'BAD_URL', `"${truncate(bad, 100)}" is not an http or https address`)
  return urls
}

const MAX_DATUM = 255
const MAX_OPERATION = 500

/** The word of its column of height references, shortened in a Shapefile; others are words of programs and people. */
const OWN_DATUM = /^(?:heightdatum|hgtdatum)$/

/** Whether the column of height references is one of this service. */
export const hasOwnDatum = ({ heightDatum }: Columns): boolean => OWN_DATUM.test(heightDatum?.[0]?.word ?? '')

/** Whether this service exported the file: no other has both heights and their reference. */
export const isExport = ({ heightDatum, h, altitude }: Columns): boolean =>
  hasOwnDatum({ heightDatum }) && h !== undefined && altitude !== undefined

/** Reads each value from its column of the export. */
export function exportedHeights(row: Row): PointHeights {
  const operation = row.text('heightOperation', MAX_OPERATION, readText)
  return {
    h: row.length('h'),
    altitude: row.length('altitude'),
    heightDatum: row.text('heightDatum', MAX_DATUM, readText),
    heightTransformation: operation === null ? null : { operation, accuracy: row.number('heightAccuracy') },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
