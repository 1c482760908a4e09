import type { Crs, CrsTable } from '../../../reference-systems/crs.ts'
import { SurveyFileError, type WarningCode } from '../errors.ts'
import type { Delimiter } from '../formats/delimited/delimiter.ts'
import type { GridCheck } from '../rows/grid-check.ts'
import type { Decimal } from '../rows/values/numbers.ts'
import type { Packed } from './angles/packed.ts'
import type { AngleParts } from './angles/parts.ts'
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
  /** How figures under latitude and longitude are read, where that was settled; undefined is as decimal degrees. */
  angles?: 'decimal' | Packed
  /** Grid coordinates beside latitude and longitude, to compare them with. */
  beside?: GridCheck | undefined
  /** Every row looked at has its axes exchanged. */
  swapped: boolean
  /** What heights are above by a line above the table. */
  heightDatum: string | undefined
  /** What the caller should know of how the file was understood. */
  notices: { code: WarningCode; message: string }[]
}

export type LayoutContext = {
  crsText: string | undefined
  /** A name the file gives its system that means nothing here. */
  unreadCrs: string | undefined
  heightDatum: string | undefined
  table: CrsTable
  inZone: InZone | undefined
  delimiter: Delimiter
  /** The file is a text, to which a line can be added. */
  hasLines: boolean
  /** How whoever sent the file says that its latitudes and longitudes are meant. */
  angles?: 'decimal' | 'dms-packed' | undefined
  /** Columns of the file that are one field of these records: degrees, minutes and seconds of an angle. */
  parts?: readonly AngleParts[] | undefined
  /** The file has a header line whose words mean nothing. */
  isNameless?: boolean
}

/** A header line to put on top of a file, in its own delimiter. */
export function headerLine(words: readonly string[], delimiter: Delimiter): string {
  const sign = delimiter === 'whitespace' ? ' ' : delimiter
  // A word that holds the delimiter would be two.
  const whole = words.map((word) => word.replaceAll(sign, '_').replaceAll('"', ''))
  return `"${whole.join(sign)}"`
}

/** Where to put a header line that is proposed. */
export const placeOfHeader = ({ isNameless }: LayoutContext): string =>
  isNameless ? 'in place of the header line' : 'on top'

/** The system a file names. @throws SurveyFileError UNKNOWN_CRS with the reason */
export function systemOf(text: string, table: CrsTable): Crs {
  const crs = table.find(text)
  if (typeof crs === 'string') throw new SurveyFileError('UNKNOWN_CRS', crs)
  return crs
}

/** A column without a header. */
export const column = (index: number): Column[] => [{ index, name: `column ${index + 1}`, unit: undefined }]
