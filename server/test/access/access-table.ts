import { appTable } from './table/apps.ts'
import { fileTable } from './table/files.ts'
import { placeTable } from './table/places.ts'
import type { Rule } from './table/rules.ts'
import { scoringTable } from './table/scoring.ts'
import { userTable } from './table/users.ts'

export type { Rule }

const tables = [userTable, appTable, scoringTable, placeTable, fileTable]

/** Rules of every operation in the OpenAPI document. A missing or repeated one fails the suite. */
export const accessTable: Record<string, Rule> = Object.assign({}, ...tables)

const operations = tables.flatMap((table) => Object.keys(table))
const repeated = operations.filter((operation, at) => operations.indexOf(operation) !== at)
if (repeated.length > 0) throw new Error(`Two tables of access rules have ${repeated.join(', ')}`)
