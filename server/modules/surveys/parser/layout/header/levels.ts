import type { Columns } from '../columns.ts'
import { columnsOf } from '../columns.ts'
import { hasThirdCoordinate } from './unread-heights.ts'

const LEVEL = /^(\W*)(?:ground |spot |surface )?level(?=$|[\s([_-])/i
/** Floors of buildings are whole numbers. */
const DECIMALS = /^[+-]?\d{1,4}[.,]\d{2,4}$/

/** Adds a column such as `Level (m)` to a table without other heights, if most of its cells have two decimals. */
export function withLevel(columns: Columns, header: readonly string[], rows: readonly string[][]): Columns {
  if ((columns.h ?? columns.altitude ?? columns.z) || hasThirdCoordinate(columns, rows)) return columns
  const found = header.flatMap((cell, index) => {
    const name = cell.trim()
    if (name.length > 60 || !LEVEL.test(name)) return []
    const cells = rows.map((fields) => fields[index]?.trim() ?? '').filter((text) => text !== '')
    if (cells.filter((text) => DECIMALS.test(text)).length * 2 <= cells.length) return []
    const { z, altitude } = columnsOf([name.replace(LEVEL, '$1height')])
    const [column] = altitude ?? z ?? []
    return column
      ? [{ role: altitude ? ('altitude' as const) : ('z' as const), column: { ...column, index, name } }]
      : []
  })
  const [first, ...others] = found
  return first && others.length === 0 ? { ...columns, [first.role]: [first.column] } : columns
}
