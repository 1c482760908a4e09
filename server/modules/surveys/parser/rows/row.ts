import type { RowError, RowErrorCode, WarningCode } from '../errors.ts'
import type { Column, Columns, Role } from '../layout/columns.ts'
import { TIME } from '../table.ts'
import { truncate } from '../truncate.ts'
import { unguardText } from './text-guard.ts'
import { type Decimal, lastFigureOf, readLength, readNumber } from './values/numbers.ts'
import { unitBeside } from './values/units.ts'

/** Cells that mean no value. */
export const nothing = /^(?:|nan|#?n\/?[ad]|#nv|null|none|-+|–|\*+)$/i

/** What a spreadsheet shows for a formula without a result, in any language: `#REF!`, `#DIV/0!`, `#WERT!`, `#¿NOMBRE?`. */
const FORMULA_ERROR = /^#[¡¿]?[\p{Lu}\d/]{2,12}[!?]$/u

/** Larger numbers are refused for their size. */
const MAX_WRITTEN = 1e9

/** Lengths that are useless if their notation rounds them. */
const measured = new Set<Role>(['easting', 'northing', 'x', 'y', 'z', 'h', 'altitude'])

/** The cells of one row by meaning, and the errors and doubts found in them. */
export type Row = ReturnType<typeof rowOf>

/**
 * Of several columns with one meaning, the first non-empty one counts; descriptions are joined.
 * @param units the units that cells show without having them in their text, by the index of the field
 */
export function rowOf(
  fields: readonly string[],
  columns: Columns,
  decimal: Decimal,
  units?: ReadonlyMap<number, string>,
) {
  const faults: RowError[] = []
  const warnings: { code: WarningCode; message: string }[] = []
  const column = (role: Role): Column | undefined => {
    const all = columns[role]
    return all?.find(({ index }) => (fields[index] ?? '').trim() !== '') ?? all?.[0]
  }
  const cell = (role: Role): string => {
    const at = column(role)
    return at ? (fields[at.index] ?? '').trim() : ''
  }
  /** The different texts of the codes and descriptions in their order; as many as fit; the layer of a drawing only without others. */
  const described = (max: number): string => {
    const all = (columns.description ?? []).toSorted((one, other) => one.index - other.index)
    const texts = (some: readonly Column[]) => [
      ...new Set(some.map(({ index }) => (fields[index] ?? '').trim()).filter((text) => text !== '')),
    ]
    const own = texts(all.filter(({ word }) => word !== 'layer'))
    return (own.length > 0 ? own : texts(all)).reduce(
      (joined, text) => (joined === '' ? text : joined.length + text.length < max ? `${joined} ${text}` : joined),
      '',
    )
  }
  const fault = (role: Role, code: RowErrorCode, message: string) => {
    const at = column(role)
    faults.push({ column: at?.name ?? role, value: at ? truncate(fields[at.index] ?? '', 200) : null, code, message })
  }
  /** A unit, or two combined errors, can overflow. */
  const metres = (role: Role, value: number): number | null => {
    if (Number.isFinite(value)) return value
    fault(role, 'NOT_A_NUMBER', `${role} "${truncate(cell(role), 60)}" is too large a length in its unit`)
    return null
  }
  return {
    fields,
    faults,
    warnings,
    column,
    cell,
    fault,
    metres,

    /** Whether the cell has the format of a time. */
    isTime(role: Role): boolean {
      return units?.get(column(role)?.index ?? -1) === TIME
    },

    number(role: Role): number | null {
      const text = cell(role)
      if (nothing.test(text)) return null
      const value = readNumber(text, decimal)
      if (value === undefined) fault(role, 'NOT_A_NUMBER', notANumber(role, text, decimal))
      return value ?? null
    },

    /** Metres, by the unit of the cell, otherwise of the header, otherwise `fallback`. */
    length(role: Role, fallback = 1): number | null {
      const text = cell(role)
      if (nothing.test(text)) return null
      const usual = column(role)!.unit ?? fallback
      const read = readLength(text, decimal, usual)
      const figure = measured.has(role) ? (lastFigureOf(text) ?? 0) : 0
      if (read && figure > 1 && Math.abs(read.value) < MAX_WRITTEN) {
        const message = `${role} "${truncate(text, 60)}" is rounded to ${figure} by its notation: write all figures, such as 391776${decimal}15`
        fault(role, 'NOT_A_NUMBER', message)
        return null
      }
      const shown = measured.has(role) && read && read.unit === undefined ? units?.get(column(role)!.index) : undefined
      if (shown !== undefined && shown !== TIME && Math.abs(unitBeside(shown, usual)! / usual - 1) > 1e-9) {
        const message = `${role} "${truncate(text, 60)}" is shown in "${shown}" by the format of its cell, but the column is in another unit: write the unit into the header, as in ${truncate(column(role)!.name, 60)} (${shown})`
        fault(role, 'NOT_A_NUMBER', message)
        return null
      }
      if (read) return metres(role, read.value * (read.unit ?? usual))
      fault(role, 'NOT_A_NUMBER', notANumber(role, text, decimal))
      return null
    },

    text(role: Role, max: number, meant = unguardText): string | null {
      const text = meant(role === 'description' ? described(max) : cell(role))
      if (text.length > max) fault(role, 'TOO_LONG', `${role} is ${text.length} characters long, ${max} are allowed`)
      return text === '' ? null : text
    },
  }
}

export function notANumber(role: Role, cell: string, decimal: Decimal): string {
  const shown = `${role} "${truncate(cell, 60)}"`
  if (FORMULA_ERROR.test(cell))
    return `${shown} is the error of a formula: correct it in the sheet, or write ${role === 'z' || role === 'h' || role === 'altitude' ? 'the height or nothing' : 'the number'}`
  if (/^[+-]?\d{1,3}[.,]\d{3}$/.test(cell)) {
    const plain = cell.replace(/[.,]/, '')
    return `${shown} can be ${plain} or ${cell.replace(/[.,]/, decimal)}: write one of these`
  }
  const [other, sign] = decimal === '.' ? [',', 'comma'] : ['.', 'point']
  if (!readNumber(cell.replace(other, decimal), decimal) || !cell.includes(other))
    return `${shown} is not a number: write figures only, such as 12${decimal}5`
  return `${shown} has a decimal ${sign}, which the other numbers of the file do not use: write ${cell.replace(other, decimal)}`
}
