import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../server/test/builders.ts'
import { type Service, startService } from '../../server/test/service.ts'
import { answer, breakingWay, loseAnswer } from './breaking-way.ts'

/** A fault that a request of a step meets, in order. */
type Fault = 'lose answer' | 'no answer' | 'page of the network' | { status: number; retryAfter?: number }

/** One call, in words that every client understands. `${name}` stands for a value that an earlier step kept. */
export type Step = {
  /** The operation of openapi.json, and the method of the TypeScript client. */
  operation: string
  typescript: string
  path?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  conditions?: Record<string, string>
  /** Arguments of the TypeScript method, if they are others than path, body or query, and conditions. */
  arguments?: unknown[]
  /** Reads the items of all pages. */
  pages?: { atMost?: number }
  appKey?: string
  timeoutMs?: number
  faults?: Fault[]
  /** What the answer, or the error, contains at least. A message contains its words. */
  answer?: unknown
  error?: { status: number; message?: string; issues?: { code: string; path: unknown[] }[]; retryAfter?: number }
  keep?: Record<string, string>
  /** All requests, with `*` for any characters, and the number of different idempotency keys in them. */
  requests?: string[]
  keys?: number
  /** The least time that it takes. */
  lastsMs?: number
}
type Case = { title: string; steps: Step[] }
export type Credentials = { appKey: string; session: string }
export type Outcome = { answer?: unknown; error?: { status: number; message: string; requestId: string | null } }
type Caller = { call: (step: Step, credentials: Credentials) => Promise<Outcome>; close?: () => void }

const CASES = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8')) as Case[]

/** Tests a client with the cases that all clients share, each on an app of its own. @param open a client of the service at a URL */
export function testCases(open: (url: string) => Caller) {
  let service: Service
  let way: Awaited<ReturnType<typeof breakingWay>>
  let client: Caller
  beforeAll(async () => {
    service = await startService()
    way = await breakingWay(service.url)
    client = open(way.url)
  })
  afterEach(() => {
    way.faults.length = 0
  })
  afterAll(async () => {
    client?.close?.()
    await way?.close()
    await service?.stop()
  })

  test.each(CASES)('$title', async ({ steps }) => {
    const owner = await buildersOn(service).user()
    const { key: appKey } = await buildersOn(service).app({ owner })
    const credentials = { appKey, session: owner.headers.authorization!.slice('Bearer '.length) }
    const kept: Record<string, string> = {}
    for (const raw of steps) {
      const step = filled(raw, kept)
      way.seen.length = 0
      way.faults.push(...(step.faults ?? []).map(faultOf))
      const startedAt = performance.now()
      const outcome = await client.call(step, credentials)
      const took = performance.now() - startedAt
      if (step.error) expect(outcome).toMatchObject({ error: expectedError(step) })
      else
        expect(outcome, JSON.stringify(outcome.error)).toMatchObject({
          answer: step.answer ?? expect.toSatisfy(() => true),
        })
      if (step.lastsMs) expect(took).toBeGreaterThanOrEqual(step.lastsMs)
      const sent = way.seen.map(({ method, path }) => `${method} ${path}`)
      if (step.requests) expect(sent).toEqual(step.requests.map((words) => expect.stringMatching(patternOf(words))))
      const keys = way.seen.map(({ headers }) => headers['idempotency-key']).filter(Boolean)
      if (step.keys !== undefined) expect(new Set(keys).size).toBe(step.keys)
      for (const [name, member] of Object.entries(step.keep ?? {}))
        kept[name] = (outcome.answer as Record<string, string>)[member]!
    }
  })
}

const filled = (step: Step, kept: Record<string, string>): Step =>
  JSON.parse(JSON.stringify(step).replace(/\$\{(\w+)\}/g, (_, name: string) => JSON.stringify(kept[name]).slice(1, -1)))

/** Every error of the service has the ID of its request. */
const expectedError = ({ error, faults, requests }: Step) => ({
  ...error,
  ...(error!.message ? { message: expect.stringContaining(error!.message) } : {}),
  ...(faults || requests?.length === 0 ? {} : { requestId: expect.stringMatching(/./) }),
})

const patternOf = (words: string) => new RegExp(`^${words.replace(/[.?]/g, '\\$&').replaceAll('*', '[^/]+')}$`)

function faultOf(fault: Fault) {
  if (fault === 'lose answer') return loseAnswer
  if (fault === 'no answer') return () => {}
  if (fault === 'page of the network') return answer(200, { 'content-type': 'text/html; charset=utf-8' })
  const { status, retryAfter } = fault
  return answer(status, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) })
}
