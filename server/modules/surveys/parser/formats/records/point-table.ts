import { type RowError, SurveyFileError } from '../../errors.ts'
import { startingWith } from '../../sampling.ts'
import type { NamedSystems, SurveyRecord, SurveyTable, UsualSystems } from '../../table.ts'
import { truncate } from '../../truncate.ts'
import type { OpenText } from '../text/open-text.ts'

/** The fields of a record. Coordinates and heights are decimal numbers in the unit of their column. */
export type Field =
  | 'northing'
  | 'easting'
  | 'latitude'
  | 'longitude'
  | 'x'
  | 'y'
  | 'z'
  | 'ellipsoidalHeight'
  | 'altitude'
  | 'title'
  | 'description'
  | 'accuracyH'
  | 'accuracyNorthing'
  | 'accuracyEasting'
  | 'accuracyV'

/** A record of a file, valid or failed. */
export type Found = {
  line: number
  title: string
  cells: Partial<Record<Field, string>>
  /** Why the record is a failed row. */
  fault?: RowError
  /** Whether it repeats another record of the same point. */
  isRepeat?: boolean
}

/**
 * A column of the table: its field, the unit of its values as a word of `rows/values/units.ts`, and the header word, if
 * only the whole file determines the kind of heights.
 */
export type FieldColumn = Field | { field: Field; unit?: string | undefined; as?: Field }

/** The layout after the first records of a file. The first column is a coordinate. */
export type TableShape = { columns: FieldColumn[]; systems: NamedSystems; usual?: UsualSystems }

const coordinates: readonly Field[] = ['latitude', 'longitude', 'northing', 'easting', 'x', 'y']
const SAMPLE = 50
/** Maximum number of records without a position above the first one with a position. */
const MAX_SAMPLE = 5000
const MAX_NUMBER = 64

export const noSystem = (): NamedSystems => ({ crs: undefined, crsLine: undefined, titles: [] })

/** The layout of grid coordinates with heights in one unit, in no named reference system. */
export const gridShape = (unit: string | undefined): TableShape => ({
  columns: [{ field: 'northing', unit }, { field: 'easting', unit }, { field: 'z', unit }, 'title', 'description'],
  systems: noSystem(),
})

export const faultOf = (code: RowError['code'], message: string, value: string | null = null): RowError => ({
  column: null,
  value: value === null ? null : truncate(value, 200),
  code,
  message,
})

/** Whether a text is a plain decimal number. */
export const isNumber = (text: string): boolean =>
  text.length <= MAX_NUMBER && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text)

/**
 * Turns the records of a format into a table with known header words. Reads the first 50 points before it asks `shape`
 * for the columns, so that a format can choose them by content.
 * @param none the message for a file without any position
 * @throws SurveyFileError EMPTY_FILE if there is no position
 */
export async function pointTable(
  format: string,
  {
    text,
    records,
    none,
    shape,
  }: {
    text: OpenText
    records: AsyncIterable<Found>
    none: string
    shape: (sample: readonly Found[]) => TableShape
  },
  notices: NonNullable<SurveyTable['notices']> = () => [],
): Promise<SurveyTable> {
  const { sample, rest } = await sampleOf(records)
  if (!sample.some(({ fault, isRepeat }) => !fault && !isRepeat)) {
    const [first] = sample
    const why = first?.fault ? `; its first record (line ${first.line}) fails: ${first.fault.message}` : ''
    if (sample.length < MAX_SAMPLE) throw new SurveyFileError('EMPTY_FILE', none + why)
  }
  const { columns, systems, usual } = shape(sample)
  return {
    source: { format, delimiter: null, encoding: text.encoding(), layer: null, layers: [] },
    systems,
    ...(usual && { usual }),
    records: tabled(startingWith(sample, rest), columns),
    notices: () => [...text.notices(), ...notices()],
  }
}

async function sampleOf(records: AsyncIterable<Found>) {
  const source = records[Symbol.asyncIterator]()
  const sample: Found[] = []
  let points = 0
  let rest: AsyncIterable<Found> = { [Symbol.asyncIterator]: () => source }
  try {
    while (points < SAMPLE && sample.length < MAX_SAMPLE) {
      const next = await source.next()
      if (next.done) break
      sample.push(next.value)
      if (!next.value.fault) points++
    }
  } catch (error) {
    if (points === 0) throw error
    rest = failing(error)
  }
  return { sample, rest }
}

async function* failing(error: unknown): AsyncGenerator<never, void, undefined> {
  yield* []
  throw error
}

async function* tabled(
  records: AsyncIterable<Found>,
  columns: readonly FieldColumn[],
): AsyncGenerator<SurveyRecord, void, undefined> {
  const fields = columns.map((column) => (typeof column === 'string' ? column : column.field))
  yield { fields: columns.map(headerOf), line: 1 }
  const nothing = fields.map(() => '')
  for await (const { line, title, cells, fault, isRepeat } of records) {
    const wrong = fault ?? (isRepeat ? undefined : notANumber(cells, fields))
    if (wrong) yield { fields: nothing, line, title, fault: wrong }
    else if (isRepeat) yield { fields: nothing, line, title, isRepeat }
    else yield { fields: fields.map((field) => (field === 'title' ? title : (cells[field] ?? ''))), line }
  }
}

function headerOf(column: FieldColumn): string {
  if (typeof column === 'string') return column
  const { field, unit, as = field } = column
  return unit ? `${as} (${unit})` : as
}

/** The error of a missing or invalid coordinate. Heights and accuracies are checked later, with the rows. */
function notANumber(cells: Found['cells'], fields: readonly Field[]): RowError | undefined {
  const wrong = fields.find((field) => coordinates.includes(field) && !isNumber(cells[field] ?? ''))
  if (wrong === undefined) return undefined
  const value = cells[wrong] ?? ''
  const message = value === '' ? `${wrong} is empty` : `${wrong} "${truncate(value, 60)}" is not a number`
  return { column: wrong, value: truncate(value, 200), code: 'NOT_A_NUMBER', message }
}
