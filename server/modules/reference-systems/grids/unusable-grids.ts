import type { UnusableGrid } from '../accuracy.ts'
import type { Proj } from '../proj/library.ts'
import { openGridRegistry } from './grid-registry.ts'

/** Of the grids that operations need, by PROJ name, those in the folder that cannot be used. */
export function unusableGridsOf({ unusableGrids }: Proj, operations: readonly { grids: string[] }[]): UnusableGrid[] {
  if (unusableGrids.size === 0 || operations.length === 0) return []
  const wanted = new Set(operations.flatMap(({ grids }) => grids))
  const register = openGridRegistry()
  try {
    return [...unusableGrids]
      .map(([file, why]) => ({ file, why, grid: register.nameOf(file) ?? file }))
      .filter(({ grid }) => wanted.has(grid))
  } finally {
    register.close()
  }
}
