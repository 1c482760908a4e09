import type { Columns } from '../layout/columns.ts'
import { truncate } from '../truncate.ts'
import type { PointHeights } from './heights.ts'
import type { Row } from './row.ts'
import { guardText, unguardText } from './text-guard.ts'

/*
 * How points stand in the CSV that this service exports, so that they come back to the letter and no spreadsheet takes
 * a text for a formula. Its column `heightDatum` says what a file is; other files are not read so.
 */

/** What a point may hold that was not imported. */
export const MAX_EXPORTED_DATA = 65_536
const MAX_EXPORTED_PHOTOS = 100

const JSON_TEXT = /^json:"/

/** What a table cannot carry (a gap at an end, a carriage return) is written as `json:"…"`. */
export function writtenText(text: string | null): string | null {
  if (text === null) return null
  const isPlain = text === text.trim() && !text.includes('\r') && !JSON_TEXT.test(text)
  return isPlain ? guardText(text) : `json:${JSON.stringify(text)}`
}

/** The text that was written; a cell that somebody changed since means what it says. */
export function readText(cell: string): string {
  const text = JSON_TEXT.test(cell) ? parsed(cell.slice('json:'.length)) : undefined
  return typeof text === 'string' ? text : unguardText(cell)
}

/** Addresses apart by spaces, or as a list in JSON when one holds a space. */
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

/** Whether a file was exported here: nothing else has both heights and says what they are above. */
export const isExport = ({ heightDatum, h, altitude }: Columns): boolean =>
  heightDatum !== undefined && h !== undefined && altitude !== undefined

/** An export has each figure in the column where it belongs, and says what is known about it. */
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
