import { appTable } from './table/apps.ts'
import { fileTable } from './table/files.ts'
import { placeTable } from './table/places.ts'
import type { Rule } from './table/rules.ts'
import { scoringTable } from './table/scoring.ts'
import { userTable } from './table/users.ts'

export type { Rule }

/** Every operation of the OpenAPI document. One that is missing here fails the suite. */
export const accessTable: Record<string, Rule> = {
  ...userTable,
  ...appTable,
  ...scoringTable,
  ...placeTable,
  ...fileTable,
}
