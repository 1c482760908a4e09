import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { shortened, statementsBetween, statementsUntilNow } from './statements.ts'

/** Statements the service sends on its own, with the pages each touches. */
export type Chores = Map<string, number>

const IDLE_MS = 6000

/** Measures the statements of an idle service: for jobs, changes of other processes, due deliveries. */
export async function choresOf(client: pg.Client): Promise<Chores> {
  const before = await statementsUntilNow(client)
  await sleep(IDLE_MS)
  const between = statementsBetween(before, await statementsUntilNow(client), 1)
  return new Map(between.map(({ query, pages, calls }) => [shortened(query), pages / calls]))
}
