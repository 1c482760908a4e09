import type { Detected } from './detection.ts'
import type { RowError, WarningCode } from './errors.ts'

/** In place of a unit: the cell has the format of a time. */
export const TIME = 'time'

/** One record of a file and its first line; in formats without lines, its number from 1. */
export type SurveyRecord = {
  fields: string[]
  line: number
  /** Why it is a failed row, whatever its fields. */
  fault?: RowError
  /** Whether it repeats another record of the same point: it is counted as a repeat. */
  isRepeat?: boolean
  /** The units of length that the formats of its cells show, or `TIME`, by the index of the field. */
  units?: ReadonlyMap<number, string>
  /** The name of a record that is reported without reading its fields. */
  title?: string
}

/**
 * The output of a format: a table of texts as a person would write it. Its first record has words of
 * `layout/header-aliases.ts` if the format defines its fields. The table is then read like a CSV file.
 */
export type SurveyTable = {
  /** How the file was read, for the report. */
  source: Pick<Detected, 'format' | 'delimiter' | 'encoding' | 'layer' | 'layers'>
  systems: NamedSystems
  /** The systems in which files of this format are, if it has any of its own: messages propose them. */
  usual?: UsualSystems
  records: AsyncIterable<SurveyRecord>
  /** Details that are known only after the last record. */
  notices?: () => { code: WarningCode; message: string }[]
}

/** Where a file names its reference system. */
export type NamedSystems = {
  /** A code, PROJ string, WKT or PROJJSON, as `CrsTable.find` accepts it. */
  crs: string | undefined
  /** Its line in the file. */
  crsLine: string | undefined
  /** Other lines that may name one: titles, remarks, comments. */
  titles: string[]
  /** The name of the vertical datum of all heights, if the format has a field for it. */
  vertical?: string
}

/** Codes of systems, and a clause that says which these are. */
export type UsualSystems = { codes: readonly string[]; names: string }

export type FormatOptions = {
  /** The header line of the request. */
  header: string | undefined
  /** The layer or sheet of the request. */
  layer: string | undefined
  /** The reference system of the request. */
  crs: string | undefined
  maxBytes: number
  maxRows: number
  maxLines: number
  maxColumns: number
}

/** A survey format. To add one, create a folder in `formats` and a line in `formats/index.ts`. */
export type SurveyFormat = {
  /** Its name in the report, such as `csv` or `gpx`. */
  name: string
  /** Whether a file has this format, by its first bytes (64 KiB or all of them), also decoded as text. */
  detects: (head: Buffer, text: string) => boolean
  /** @throws SurveyFileError if the whole file cannot be read */
  read: (bytes: AsyncIterable<Uint8Array>, options: FormatOptions) => Promise<SurveyTable>
}
