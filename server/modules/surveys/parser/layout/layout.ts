import type { Crs, CrsTable } from '../../../reference-systems/crs.ts'
import { SurveyFileError, type WarningCode } from '../errors.ts'
import type { Delimiter } from '../formats/delimited/delimiter.ts'
import type { GridCheck } from '../rows/grid-check.ts'
import type { Decimal } from '../rows/values/numbers.ts'
import type { UsualSystems } from '../table.ts'
import type { Packed } from './angles/packed.ts'
import type { AngleParts } from './angles/parts.ts'
import type { Column, Columns, Role } from './columns.ts'

/** Whether a WGS84 point is in the zone of the file, with the margin of the caller. */
export type InZone = (latitude: number, longitude: number) => boolean

/**
 * The kind of coordinates: degrees in two columns, eastings and northings of a system, both in one column, or
 * geocentric x, y and z.
 */
export type LayoutKind = 'geodetic' | 'grid' | 'position' | 'geocentric'

/** How to read the rows of one file. */
export type Layout = {
  columns: Columns
  kind: LayoutKind
  decimal: Decimal
  /** Required number of fields of a row; null if rows may differ. */
  width: number | null
  /** Fields of the header, including unnamed ones at its end: rows may have as many. */
  headed?: number
  /** Which rows split at spaces have numbers at their end: of a row with an empty cell, one may be in the place of the height. */
  numbersAtEnd?: 'none' | 'some' | 'most'
  /** Whether the last field is a text that takes further fields separated by spaces. */
  lastTakesRest: boolean
  /** Records above the first row: a header, a line of units. */
  above: number
  header: boolean
  /** All names of the header, also of columns that are not read. */
  headers?: readonly string[]
  /** Whether a line is one photo of a point (gcp_list.txt of OpenDroneMap). */
  perPhoto: boolean
  crs: Crs | undefined
  /** The form of numbers under latitude and longitude; undefined for decimal degrees. */
  angles?: 'decimal' | Packed
  /**
   * Columns with angles that have a letter of the hemisphere. If most have one, an angle without it or a minus sign is an
   * error; if some have, it has a warning.
   */
  lettered?: Partial<Record<Role, 'most' | 'some'>>
  /** Grid coordinates beside latitude and longitude, for comparison. */
  beside?: GridCheck | undefined
  /** Whether all sampled rows have swapped axes. */
  swapped: boolean
  /** The height reference from a line above the table. */
  heightDatum: string | undefined
  /** Whether the letters of zones of UTM are bands of latitude: S is in the north. */
  areBands?: boolean
  /** Whether the table is a sheet: numbers may have either decimal sign. */
  isSheet?: boolean | undefined
  /** Notices about how the file was read. */
  notices: { code: WarningCode; message: string }[]
}

export type LayoutContext = {
  crsText: string | undefined
  /** Whether no line above the table names a system: one in its headers goes before that of the request. */
  isUnnamed?: boolean
  /** The unknown name of the file's system. */
  unreadCrs: string | undefined
  /** A line above the table that may name a system, but says not which. */
  vagueCrs?: string | undefined
  heightDatum: string | undefined
  table: CrsTable
  inZone: InZone | undefined
  delimiter: Delimiter
  /** Whether the file is text, to which a line can be added. */
  hasLines: boolean
  /** Whether the file is a table of texts, such as CSV or a sheet, and not one of geometries or records. */
  isTable: boolean
  /** Whether the file is a sheet, whose numbers have a decimal point and whose texts may have a comma. */
  isSheet?: boolean
  /** The form of latitudes and longitudes in the request. */
  angles?: 'decimal' | 'dms-packed' | undefined
  /** Columns of the file that are joined into one field: degrees, minutes and seconds of an angle. */
  parts?: readonly AngleParts[] | undefined
  /**
   * The column of the file whose positions in zones of UTM were split into zone, easting, northing and, of a square,
   * precision.
   */
  references?: { at: number; parts: number } | undefined
  /** The systems of files of this format. */
  usual?: UsualSystems | undefined
  /** Whether the file has a header line without known words. */
  isNameless?: boolean
}

/** A header line for the top of a file, with its delimiter. */
export function headerLine(words: readonly string[], delimiter: Delimiter): string {
  const sign = delimiter === 'whitespace' ? ' ' : delimiter
  // A word with the delimiter would be two.
  const whole = words.map((word) => word.replaceAll(sign, '_').replaceAll('"', ''))
  return `"${whole.join(sign)}"`
}

/** Where to put a proposed header line. */
export const placeOfHeader = ({ isNameless }: LayoutContext): string =>
  isNameless ? 'in place of the header line' : 'on top'

/** The system that a file names. @throws SurveyFileError UNKNOWN_CRS with the reason */
export function systemOf(text: string, table: CrsTable): Crs {
  const crs = table.find(text)
  if (typeof crs === 'string') throw new SurveyFileError('UNKNOWN_CRS', crs)
  return crs
}

/** A column without a header. */
export const column = (index: number): Column[] => [{ index, name: `column ${index + 1}`, unit: undefined }]
