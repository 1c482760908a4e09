/** An error of a row: column, value, a code for programs and a sentence for people. */
export type RowError = { column: string | null; value: string | null; code: RowErrorCode; message: string }

export type RowErrorCode =
  | 'APRIL_TAG_CONFLICT'
  | 'APRIL_TAG_RANGE'
  | 'AXES_SWAPPED'
  | 'BAD_CHECKSUM'
  | 'BAD_GCP_TYPE'
  | 'BAD_URL'
  | 'CRS_ACCURACY'
  | 'DELETED_POINT'
  | 'DUPLICATE_TITLE'
  | 'HEIGHT_ACCURACY'
  | 'LATITUDE_RANGE'
  | 'LONGITUDE_RANGE'
  | 'MISSING_TITLE'
  | 'NO_COORDINATES'
  | 'NO_FIX'
  | 'NOT_A_NUMBER'
  | 'NOT_A_POINT'
  | 'OUTSIDE_CRS_AREA'
  | 'RAGGED_ROW'
  | 'TOO_LONG'
  | 'TOO_MANY_PHOTOS'
  | 'UNKNOWN_CRS'
  | 'UNKNOWN_HEIGHT_DATUM'

/** A note to the caller that refuses nothing. */
export type WarningCode =
  | 'ANGLES_ASSUMED'
  | 'ANTENNA_HEIGHTS'
  | 'AXES_ASSUMED'
  | 'AXES_SWAPPED'
  | 'COLUMNS_ASSUMED'
  | 'CRS_ACCURACY'
  | 'ENCODING_FALLBACK'
  | 'FAR_FROM_OTHERS'
  | 'GRID_DISAGREES'
  | 'HEADER_REPLACED'
  | 'HEIGHT_ACCURACY'
  | 'HEIGHT_DATUM_REPLACED'
  | 'HEIGHT_DATUM_UNKNOWN'
  | 'HEIGHTS_NOT_READ'
  | 'HIDDEN_ROWS_READ'
  | 'IMAGE_POSITIONS_NOT_KEPT'
  | 'LAYERS_NOT_READ'
  | 'LINES_ABOVE_TABLE'
  | 'ORIENTATION_WITHOUT_HEIGHT'
  | 'OUTSIDE_ZONE'
  | 'RECORDS_LEFT_OUT'
  | 'SUMMARY_ROW'
  | 'TITLES_MADE'
  | 'UNIT_APPLIED'

export type FileErrorCode =
  | 'AMBIGUOUS_ANGLES'
  | 'AMBIGUOUS_COLUMNS'
  | 'EMPTY_FILE'
  | 'GRID_FAULT'
  | 'LINE_TOO_LONG'
  | 'NOT_A_TABLE'
  | 'NOT_TEXT'
  | 'NOT_WELL_FORMED'
  | 'TOO_LARGE'
  | 'TOO_MANY_COLUMNS'
  | 'TOO_MANY_ROWS'
  | 'UNCLOSED_QUOTE'
  | 'UNKNOWN_CRS'
  | 'UNKNOWN_HEIGHT_DATUM'
  | 'UNREADABLE_FILE'
  | 'WHICH_LAYER'

/** An error of the whole file: no row of it, or none after this point, can be read. */
export class SurveyFileError extends Error {
  readonly code: FileErrorCode
  readonly line: number | null

  constructor(code: FileErrorCode, message: string, line: number | null = null) {
    super(message)
    this.code = code
    this.line = line
  }
}

/** Several layers or sheets are possible; `layers` has their names. */
export class LayerChoice extends SurveyFileError {
  readonly layers: string[]

  constructor(message: string, layers: string[]) {
    super('WHICH_LAYER', message)
    this.layers = layers
  }
}
