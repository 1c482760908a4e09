import type { ExportSystem, UsedOperation } from '../schema.ts'

/** What a file says of how its coordinates were made, a line each, for formats that have remarks. */
export const remarks = (system: ExportSystem | undefined, operations: readonly UsedOperation[]): string[] =>
  operations.map(
    ({ name, accuracy, points }) =>
      `${points} ${points === 1 ? 'point' : 'points'} from WGS84 to ${system?.name} by ${oneLine(name)}, ${accuracy === null ? 'accuracy not stated' : `accuracy ${accuracy} m`}`,
  )

export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
