import type { Crs, CrsTable } from '../../../reference-systems/crs.ts'
import { SurveyFileError, type WarningCode } from '../faults.ts'
import type { Delimiter } from '../formats/delimited/delimiter.ts'
import type { Decimal } from '../rows/numbers.ts'
import type { Column, Columns } from './columns.ts'

/** Whether a WGS84 point lies in the zone the file is for (with whatever margin the caller allows). */
export type InZone = (latitude: number, longitude: number) => boolean

/**
 * How a file gives its coordinates: degrees in two columns, eastings and northings of a system, both in one column, or
 * x, y and z from the earth's centre.
 */
export type LayoutKind = 'geodetic' | 'grid' | 'position' | 'geocentric'

/** How the rows of one file are to be read. */
export type Layout = {
  columns: Columns
  kind: LayoutKind
  decimal: Decimal
  /** Fields every row must have; null where rows may differ. */
  width: number | null
  /** Fields the header has, those without a name at its end too: rows may have as many. */
  headed?: number
  /** The last field is a text, and takes what gaps part further. */
  lastTakesRest: boolean
  /** Records above the first row: a header, a line of units. */
  above: number
  header: boolean
  /** One line per photo of a point rather than one per point (gcp_list.txt of OpenDroneMap). */
  perPhoto: boolean
  crs: Crs | undefined
  /** Every row looked at has its axes exchanged. */
  swapped: boolean
  /** Heights of unknown datum are said to be above sea level. */
  seaLevel: boolean
  /** What the caller should know of how the file was understood. */
  notices: { code: WarningCode; message: string }[]
}

export type LayoutContext = {
  crsText: string | undefined
  /** A name the file gives its system that means nothing here. */
  unreadCrs: string | undefined
  seaLevel: boolean
  table: CrsTable
  inZone: InZone | undefined
  delimiter: Delimiter
}

/** A header line to put on top of a file, in its own delimiter. */
export const headerLine = (words: readonly string[], delimiter: Delimiter): string =>
  `"${words.join(delimiter === 'whitespace' ? ' ' : delimiter)}"`

/** The system a file names. @throws SurveyFileError UNKNOWN_CRS with the reason */
export function systemOf(text: string, table: CrsTable): Crs {
  const crs = table.find(text)
  if (typeof crs === 'string') throw new SurveyFileError('UNKNOWN_CRS', crs)
  return crs
}

/** A column without a header. */
export const column = (index: number): Column[] => [{ index, name: `column ${index + 1}`, unit: undefined }]
