import { type RowError, SurveyFileError } from '../../errors.ts'
import { startingWith } from '../../sampling.ts'
import type { NamedSystems, SurveyRecord, SurveyTable } from '../../table.ts'
import { truncate } from '../../truncate.ts'
import type { OpenText } from './text.ts'

/** What a record of a format can say. Coordinates and heights are decimal numbers in the unit of their column. */
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

/** A record of a file that is a point, or should be one. */
export type Found = {
  line: number
  title: string
  cells: Partial<Record<Field, string>>
  /** Why it is no point: it becomes a failed row. */
  fault?: RowError
  /** It says again what another record of the same point says. */
  isRepeat?: boolean
}

/**
 * A column of the table: the field it shows, the unit of its figures in a word that `rows/values/units.ts` has, and the field
 * whose word stands above it, where only the whole file tells what its heights are above.
 */
export type FieldColumn = Field | { field: Field; unit?: string | undefined; as?: Field }

/** What is known of a file after its first records. The first column is a coordinate. */
export type TableShape = { columns: FieldColumn[]; systems: NamedSystems }

const coordinates: readonly Field[] = ['latitude', 'longitude', 'northing', 'easting', 'x', 'y']
const SAMPLE = 50
/** So many records without a position may stand above the first one that has one. */
const MAX_SAMPLE = 5000
const MAX_NUMBER = 64

export const noSystem = (): NamedSystems => ({ crs: undefined, crsLine: undefined, titles: [] })

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
 * The records of a format as a table under a header of known words. Looks at the first 50 points before `shape` is
 * asked for the columns, so that a format can choose them by what the file holds.
 * @param none the sentence for a file in which no record has a position
 * @throws SurveyFileError EMPTY_FILE for such a file
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
    if (sample.length < MAX_SAMPLE) throw new SurveyFileError('EMPTY_FILE', none)
  }
  const { columns, systems } = shape(sample)
  return {
    source: { format, delimiter: null, encoding: text.encoding(), layer: null, layers: [] },
    systems,
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

/** A coordinate that is absent or no number. Heights and accuracies are checked where the rows are read. */
function notANumber(cells: Found['cells'], fields: readonly Field[]): RowError | undefined {
  const wrong = fields.find((field) => coordinates.includes(field) && !isNumber(cells[field] ?? ''))
  if (wrong === undefined) return undefined
  const value = cells[wrong] ?? ''
  const message = value === '' ? `${wrong} is empty` : `${wrong} "${truncate(value, 60)}" is not a number`
  return { column: wrong, value: truncate(value, 200), code: 'NOT_A_NUMBER', message }
}
