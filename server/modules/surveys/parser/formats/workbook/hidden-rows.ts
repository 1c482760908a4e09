import { SurveyFileError } from '../../errors.ts'
import type { Entry } from '../zip/archive.ts'
import { attribute } from './hidden-sheets.ts'
import { sheetPart, walkPart } from './parts.ts'

/** What a part has if any of its rows may be hidden. */
const marks = { xlsx: 'hidden=', ods: 'visibility=' }

/**
 * The number of rows of a sheet with values that a filter, a group or a person hides: `hidden` of a `row` (ECMA-376
 * part 1, 18.3.1.73), or `table:visibility` of a `table-row` (OpenDocument 1.3, part 3, 19.749). 0 if only GDAL can
 * read the part of the sheet.
 */
export function hiddenRows(kind: keyof typeof marks, entries: readonly Entry[], sheet: string): number {
  try {
    return countedRows(kind, entries, sheet)
  } catch (error) {
    if (error instanceof SurveyFileError) return 0
    throw error
  }
}

function countedRows(kind: keyof typeof marks, entries: readonly Entry[], sheet: string): number {
  const part = kind === 'xlsx' ? sheetPart(entries, sheet) : entries.find(({ name }) => name === 'content.xml')
  if (!part?.unpack().includes(marks[kind])) return 0
  let rows = 0
  let [isOurs, repeated, hasValue] = [kind === 'xlsx', 0, false]
  const open = (name: string, attributes: Record<string, string>) => {
    const read = (key: string) => attributes[attribute(attributes, key)]
    if (name === 'table') isOurs = read('name') === sheet
    else if (name === 'row' || name === 'table-row') {
      const isHidden = /^(?:1|true|collapse|filter)$/.test(read('hidden') ?? read('visibility') ?? '')
      repeated = isHidden && isOurs ? Number.parseInt(read('number-rows-repeated') ?? '', 10) || 1 : 0
      hasValue = false
    } else if (name === 'v' || name === 'is' || name === 'p') hasValue = true
  }
  const close = (name: string) => {
    if ((name === 'row' || name === 'table-row') && hasValue) rows += repeated
  }
  for (const _ of walkPart(part, { open, close }));
  return rows
}
