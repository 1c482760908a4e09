import { type Column, type Columns, columnsOf } from '../columns.ts'

/** `Z_m_NAVD88`: a unit between the word and what its heights are above. */
const INNER = /^(.{1,40}?)[\s_.-]{1,3}(m|ft|us_?ft|ftUS|feet|met(?:er|re)s?)[\s_.-]{1,3}([^\s_.-].{0,40})$/i

/** Columns of heights such as `Z_m_NAVD88`, which are read like `Z_NAVD88_m`. */
export const innerUnits = (header: readonly string[]): { role: 'altitude' | 'h'; column: Column }[] =>
  header.flatMap((cell, index) => {
    const name = cell.trim()
    const [, word, unit, datum] = (name.length <= 90 && INNER.exec(name)) || []
    if (word === undefined) return []
    const { altitude, h } = columnsOf([`${word}_${datum}_${unit!.replace('_', '')}`])
    const [column] = altitude ?? h ?? []
    return column ? [{ role: altitude ? 'altitude' : 'h', column: { ...column, index, name } } as const] : []
  })

/** Adds such a column to a table without other heights. */
export function withInnerUnits(columns: Columns, header: readonly string[]): Columns {
  if (columns.h ?? columns.altitude ?? columns.z) return columns
  const [found, ...others] = innerUnits(header)
  return found && others.length === 0 ? { ...columns, [found.role]: [found.column] } : columns
}
