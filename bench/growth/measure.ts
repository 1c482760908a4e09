import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { closedLoop } from '../load/closed-loop.ts'
import { cpuMicrosecondsOf } from '../measure/cpu-microseconds.ts'
import type { Chores } from './background-jobs.ts'
import type { Operation, Request, Send, World } from './operation.ts'
import { shortened, statementsBetween, statementsUntilNow } from './statements.ts'

/** Cost of one request of an operation: pages of 8 kB and WAL of its statements; CPU µs of the service and of PostgreSQL with concurrent clients. */
export type Cost = {
  pages: number
  walBytes: number
  serviceMicroseconds: number
  postgresMicroseconds: number
  /** The statements that touch most pages, with their calls a request. */
  statements: { pages: number; query: string }[]
}
export type Parts = {
  client: pg.Client
  postmaster: number
  service: { url: string; cpu: () => Promise<number> }
  /** Statements excluded from the cost of a request. */
  chores: Chores
}

const WARM = 8
const TURNS = 16
const CLIENTS = 4

export function sender(url: string): Send {
  return async ({ method = 'GET', path, headers = {}, body }: Request) => {
    const isForm = body instanceof FormData
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body && !isForm ? { 'content-type': 'application/json' } : {}) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    return text && answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
  }
}

/** Runs sequential requests to count pages without disturbance; then concurrent ones for `ms` to measure CPU time. */
export async function costOf({ name, run }: Operation, world: World, parts: Parts, ms: number): Promise<Cost> {
  const { client, postmaster, service, chores } = parts
  const send = sender(service.url)
  let turn = 0
  const once = () => run(send, world, turn++)
  try {
    for (let i = 0; i < WARM; i++) await once()
    await settled(client)
    const before = await statementsUntilNow(client)
    for (let i = 0; i < TURNS; i++) await once()
    await settled(client)
    const between = statementsBetween(before, await statementsUntilNow(client), TURNS)
    const statements = between.filter(({ query }) => !chores.has(shortened(query)))

    const began = [await service.cpu(), await cpuMicrosecondsOf(postmaster)] as const
    const { perSecond, seconds } = await closedLoop(CLIENTS, ms, once)
    const requests = perSecond * seconds
    const used = [(await service.cpu()) - began[0], (await cpuMicrosecondsOf(postmaster)) - began[1]] as const
    const sum = (what: 'pages' | 'walBytes') => statements.reduce((all, one) => all + one[what], 0) / TURNS
    return {
      pages: sum('pages'),
      walBytes: Math.round(sum('walBytes')),
      serviceMicroseconds: Math.round(used[0] / requests),
      postgresMicroseconds: Math.round(used[1] / requests),
      statements: statements.slice(0, 3).map(({ pages, query }) => ({
        pages: pages / TURNS,
        query: shortened(query),
      })),
    }
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error })
  }
}

/** Waits up to half a minute for work after the response (webhook deliveries), as far as the database shows it. */
async function settled(client: pg.Client): Promise<void> {
  for (let i = 0; i < 300; i++) {
    const { rows } = await client.query(
      `select exists (select from webhook_deliveries where status = 'PENDING') as waits`,
    )
    if (!rows[0].waits) return
    await sleep(100)
  }
}
