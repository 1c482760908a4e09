import type { ExportSystem, UsedOperation } from '../schema.ts'

/** How the coordinates of a file were computed, one line an operation, for formats with comments. */
export const remarks = (system: ExportSystem | undefined, operations: readonly UsedOperation[]): string[] =>
  operations.map(
    ({ name, accuracy, points }) =>
      `${points} ${points === 1 ? 'point' : 'points'} from WGS84 to ${system?.name} by ${oneLine(name)}, ${accuracy === null ? 'accuracy not stated' : `accuracy ${accuracy} m`}`,
  )

export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
