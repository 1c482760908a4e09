import { gameOperations } from './game-operations.ts'
import type { Operation } from './operation.ts'
import { peopleOperations } from './people-operations.ts'
import { placeOperations } from './place-operations.ts'

/** Hot paths and lists, each as a client sends it. Whatever is written is new at each turn. */
export const operations: Operation[] = [...gameOperations, ...placeOperations, ...peopleOperations]

const TURN = { read: 0, write: 1, delete: 2 }
/** As they are to be measured: what one leaves behind is not there for those that only read. */
export const inTurn = (some: Operation[]): Operation[] => some.toSorted((a, b) => TURN[a.kind] - TURN[b.kind])
