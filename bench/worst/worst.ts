import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postmasterOf } from '../databases/postmaster.ts'
import { withTemporaryDatabase } from '../databases/temporary-database.ts'
import { withTemporaryPostgres } from '../databases/temporary-postgres.ts'
import { cpuMicrosecondsOf } from '../measure/cpu-microseconds.ts'
import { newBenchApp } from '../processes/board-service.ts'
import { type Case, costlyCases } from './cases.ts'
import { fill } from './data.ts'
import { everyOperation } from './every-operation.ts'
import { type RemoteService, startRemoteService } from './remote-service.ts'

/**
 * The cost of a request: CPU time of the main thread first and in the worse of two repetitions, the longest event loop
 * turn of a third, CPU time of PostgreSQL, and memory growth.
 */
export type Worst = {
  operation: string
  what: string
  status: number
  kilobytes: number
  firstMs: number
  worstMs: number
  longestMs: number
  postgresMs: number
  megabytes: number
}

const SETTINGS = { shared_buffers: '512MB', max_connections: '100' }
const AGAIN = 2

/**
 * Measures the worst cost of each operation with the largest data.
 * @param only operations whose name or case contains one of these comma-separated texts
 */
export function benchWorst({ only = '' } = {}): Promise<Worst[]> {
  return withTemporaryPostgres(SETTINGS, (url) =>
    withTemporaryDatabase(url, async (databaseUrl) => {
      const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-worst-'))
      try {
        const owner = await prepared(databaseUrl, folder)
        const service = await startRemoteService(databaseUrl, folder)
        try {
          return await measured(service, { databaseUrl, ...owner }, only.split(','))
        } finally {
          await service.stop()
        }
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }),
  )
}

/** Fills the tables of an app by SQL. A running service must be restarted afterwards. */
async function prepared(databaseUrl: string, folder: string) {
  const service = await startRemoteService(databaseUrl, folder)
  const { id: user, token } = await service.user('bench', ['admin', 'ops'])
  const { id: app, apiKey } = await newBenchApp(service.url, token)
  const headers = { authorization: `Bearer ${token}` }
  const hook = { url: 'https://hooks.invalid/cairn', eventTypes: ['scan.failed'] }
  const { body } = await service.request('POST', `/api/v1/apps/${app}/webhooks`, hook, headers)
  await service.stop()
  const data = await fill(databaseUrl, { app, user, webhook: body.id })
  return { big: { app, key: { 'x-app-api-key': apiKey }, user: headers }, data }
}

type Prepared = Awaited<ReturnType<typeof prepared>> & { databaseUrl: string }

async function measured(
  service: RemoteService,
  { databaseUrl, big, data }: Prepared,
  only: string[],
): Promise<Worst[]> {
  const postmaster = await postmasterOf(databaseUrl)
  const ordinary = await everyOperation(service, big)
  const costly = await costlyCases(big, data)
  const all = [
    ...costly.map((one) => ({ name: `${one.operation} ${one.what}`, make: async () => one })),
    ...ordinary,
  ].filter(({ name }) => only.some((part) => name.includes(part)))
  const found: Worst[] = []
  // The first request loads modules.
  await service.request('GET', '/healthz')
  for (const { name, make } of all) {
    const costs: Cost[] = []
    let one: Case | undefined
    for (let i = 0; i <= AGAIN; i++) {
      one = await make()
      costs.push(await costOf(service, postmaster, one))
    }
    const { longestMs } = await costOf(service, postmaster, await make(), { watchesTurns: true })
    const { operation, what, status: meant } = one!
    const [first, ...later] = costs
    const most = (of: (cost: Cost) => number, costs: Cost[]) => Math.max(...costs.map(of))
    const worst = {
      operation,
      what,
      status: first!.status,
      kilobytes: Math.round(first!.bytes / 1024),
      firstMs: first!.cpuMs,
      worstMs: most(({ cpuMs }) => cpuMs, later),
      longestMs,
      postgresMs: most(({ postgresMs }) => postgresMs, costs),
      megabytes: most(({ megabytes }) => megabytes, costs),
    }
    if (meant && worst.status !== meant) throw new Error(`${name} answered ${worst.status}, not ${meant}`)
    console.error(`  ${name}: ${worst.status}, ${worst.firstMs.toFixed(1)} then ${worst.worstMs.toFixed(1)} ms`)
    found.push(worst)
  }
  return found.toSorted((a, b) => Math.max(b.firstMs, b.worstMs) - Math.max(a.firstMs, a.worstMs))
}

type Cost = { status: number; bytes: number; cpuMs: number; longestMs: number; postgresMs: number; megabytes: number }

async function costOf(
  service: RemoteService,
  postmaster: number,
  one: Case,
  { watchesTurns = false } = {},
): Promise<Cost> {
  const { method = 'GET', path, headers, body } = one
  const address = path.startsWith('http') ? path : service.url + path
  const isRaw = body instanceof FormData || typeof body === 'string' || body === undefined
  const sent = {
    method,
    redirect: 'manual',
    headers: { 'accept-encoding': 'identity', ...headers, ...(isRaw ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
  } as const
  const postgres = await cpuMicrosecondsOf(postmaster)
  await service.begin(watchesTurns)
  const { status, bytes } = await answered(address, sent)
  const { cpuMs, longestMs, megabytes } = await service.end()
  const postgresMs = ((await cpuMicrosecondsOf(postmaster)) - postgres) / 1000
  return { status, bytes, cpuMs, longestMs, postgresMs, megabytes }
}

/** @returns status 0 when the service closed the connection early */
async function answered(address: string, sent: RequestInit): Promise<{ status: number; bytes: number }> {
  let bytes = 0
  try {
    const answer = await fetch(address, sent)
    for await (const piece of answer.body ?? []) bytes += piece.length
    return { status: answer.status, bytes }
  } catch {
    return { status: 0, bytes }
  }
}
