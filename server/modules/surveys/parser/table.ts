import type { Detected } from './detection.ts'
import type { RowError, WarningCode } from './errors.ts'

/** One record of a file and the line it begins on; of a file without lines, its number from 1. */
export type SurveyRecord = {
  fields: string[]
  line: number
  /** Why it cannot be a point, whatever its fields say: it is reported as a failed row. */
  fault?: RowError
  /** It says again what another record of the same point says: it is counted as a repeat. */
  isRepeat?: boolean
  /** The name of a record that is reported without its fields being read. */
  title?: string
}

/**
 * What a format makes of a file: a table of texts as a person would write it, whose first record holds words of
 * `layout/header-aliases.ts` where the format itself says what its fields mean. The table is then read as a CSV file would be.
 */
export type SurveyTable = {
  /** How the file was read, as the report shows it. */
  source: Pick<Detected, 'format' | 'delimiter' | 'encoding' | 'layer' | 'layers'>
  systems: NamedSystems
  records: AsyncIterable<SurveyRecord>
  /** What is known only after the last record. */
  notices?: () => { code: WarningCode; message: string }[]
}

/** Where a file names its reference system. */
export type NamedSystems = {
  /** By code, as proj text, WKT or PROJJSON, in a form that `CrsTable.find` takes. */
  crs: string | undefined
  /** The line that does. */
  crsLine: string | undefined
  /** Lines that may name one otherwise: titles, remarks, comments. */
  titles: string[]
}

export type FormatOptions = {
  /** The header line that was given with the file. */
  header: string | undefined
  /** The layer or sheet that was asked for. */
  layer: string | undefined
  maxBytes: number
  maxRows: number
  maxLines: number
  maxColumns: number
}

/** A kind of file that points come in. Adding one is a folder beside this file and a line in `formats/index.ts`. */
export type SurveyFormat = {
  /** As the report names it, such as `csv` or `gpx`. */
  name: string
  /** Whether a file is of this format, by its first bytes (64 KiB or all of them), and the same as text. */
  detects: (head: Buffer, text: string) => boolean
  /** @throws SurveyFileError when the file as a whole cannot be read */
  read: (bytes: AsyncIterable<Uint8Array>, options: FormatOptions) => Promise<SurveyTable>
}
