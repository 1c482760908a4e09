import { gameOperations } from './game-operations.ts'
import type { Operation } from './operation.ts'
import { peopleOperations } from './people-operations.ts'
import { placeOperations } from './place-operations.ts'

/** Hot paths and lists, as clients send them. Writes use new values in each turn. */
export const operations: Operation[] = [...gameOperations, ...placeOperations, ...peopleOperations]

const TURN = { read: 0, write: 1, delete: 2 }
/** In order of measurement: reads before writes, whose remains would affect them. */
export const inTurn = (some: Operation[]): Operation[] => some.toSorted((a, b) => TURN[a.kind] - TURN[b.kind])
