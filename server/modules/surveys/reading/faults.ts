/** One thing wrong in a row: what the column and value were, a code for machines and one sentence for people. */
export type RowFault = { column: string | null; value: string | null; code: RowFaultCode; message: string }

export type RowFaultCode =
  | 'APRIL_TAG_CONFLICT'
  | 'APRIL_TAG_RANGE'
  | 'AXES_SWAPPED'
  | 'BAD_GCP_TYPE'
  | 'BAD_URL'
  | 'CRS_ACCURACY'
  | 'DUPLICATE_TITLE'
  | 'LATITUDE_RANGE'
  | 'LONGITUDE_RANGE'
  | 'MISSING_TITLE'
  | 'NOT_A_NUMBER'
  | 'NOT_A_POINT'
  | 'OUTSIDE_CRS_AREA'
  | 'RAGGED_ROW'
  | 'TOO_LONG'
  | 'TOO_MANY_PHOTOS'
  | 'UNKNOWN_CRS'

/** What the caller should know although nothing was refused. */
export type WarningCode =
  | 'AXES_ASSUMED'
  | 'AXES_SWAPPED'
  | 'CRS_ACCURACY'
  | 'ENCODING_FALLBACK'
  | 'HEIGHT_DATUM_UNKNOWN'
  | 'HEIGHTS_NOT_READ'
  | 'IMAGE_POSITIONS_NOT_KEPT'
  | 'LAYERS_NOT_READ'
  | 'OUTSIDE_ZONE'
  | 'TITLES_MADE'

export type FileFaultCode =
  | 'AMBIGUOUS_COLUMNS'
  | 'EMPTY_FILE'
  | 'LINE_TOO_LONG'
  | 'NOT_A_TABLE'
  | 'NOT_TEXT'
  | 'TOO_LARGE'
  | 'TOO_MANY_COLUMNS'
  | 'TOO_MANY_ROWS'
  | 'UNCLOSED_QUOTE'
  | 'UNKNOWN_CRS'
  | 'UNREADABLE_FILE'
  | 'WHICH_LAYER'

/** A fault of the whole file: no row of it (or none after this point) can be read. */
export class SurveyFileError extends Error {
  readonly code: FileFaultCode
  readonly line: number | null

  constructor(code: FileFaultCode, message: string, line: number | null = null) {
    super(message)
    this.code = code
    this.line = line
  }
}
