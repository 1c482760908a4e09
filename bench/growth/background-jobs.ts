import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { shortened, statementsBetween, statementsUntilNow } from './statements.ts'

/** Statements that the service sends by itself, by their texts, and the pages that one of them touches. */
export type Chores = Map<string, number>

const IDLE_MS = 6000

/** What is asked while nobody asks: for jobs, for changes that other processes made, for deliveries that are due. */
export async function choresOf(client: pg.Client): Promise<Chores> {
  const before = await statementsUntilNow(client)
  await sleep(IDLE_MS)
  const between = statementsBetween(before, await statementsUntilNow(client), 1)
  return new Map(between.map(({ query, pages, calls }) => [shortened(query), pages / calls]))
}
