import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { postmasterOf } from '../databases/postmaster.ts'
import { withTemporaryDatabase } from '../databases/temporary-database.ts'
import { withTemporaryPostgres } from '../databases/temporary-postgres.ts'
import { newBenchApp } from '../processes/board-service.ts'
import { startChild } from '../processes/child.ts'
import { type Chores, choresOf } from './background-jobs.ts'
import { type Cost, costOf, sender } from './measure.ts'
import type { World } from './operation.ts'
import { inTurn, operations } from './operations.ts'
import type { Again } from './replace-results.ts'
import { bytesOfRows, seed } from './seed.ts'

export type Growth = {
  rows: number[]
  operations: { name: string; byContract?: string; growth: string; costs: Cost[]; again?: Again }[]
  /** Statements of the idle service: pages of one run, at each size. */
  chores: { query: string; pages: number[] }[]
  /** Bytes of a row on disk, and of its indexes, in the largest tables. */
  bytes: Record<string, { row: number; indexes: number }>
}

const SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'top',
  'pg_stat_statements.max': '10000',
  shared_buffers: '2GB',
  max_connections: '100',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  // After a checkpoint, whole pages are written to the log: this depends on its time, and is reported separately in docs/scaling.md.
  full_page_writes: 'off',
  autovacuum: 'off',
  jit: 'off',
  synchronous_commit: 'on',
}

const SOME_PAGES = 4

/**
 * Measures each operation on tables of 10⁴, 10⁵ and 10⁶ rows (`long`: also 10⁷, an hour and 60 GB): the pages that its SQL
 * touches, as PostgreSQL counts them in the service's statements, and CPU time.
 * @param only operations with one of these comma-separated texts in their name @param tables to fill, by default all @param sizes of the tables @param ms of the CPU measurement of an operation
 */
export async function benchGrowth({
  long = false,
  only = '',
  tables = '',
  sizes = [1e4, 1e5, 1e6],
  ms = 500,
} = {}): Promise<Growth> {
  const rows = long ? [...sizes, 1e7] : sizes
  const wanted = operations.filter(({ name }) => only.split(',').some((part) => name.includes(part)))
  const costs = new Map<string, Cost[]>(wanted.map(({ name }) => [name, []]))
  let bytes: Growth['bytes'] = {}
  const chores: Chores[] = []
  for (const size of rows) {
    await withTemporaryPostgres(SETTINGS, (url) =>
      withTemporaryDatabase(url, async (databaseUrl) => {
        const filled = { rows: size, tables: tables.split(',').filter(Boolean) }
        await withService(databaseUrl, filled, async (parts, world) => {
          bytes = await bytesOfRows(parts.client)
          await parts.client.query('checkpoint')
          chores.push(await choresOf(parts.client))
          console.error(`  ${size.toLocaleString('en')} rows inserted`)
          for (const operation of inTurn(wanted)) {
            await tidyUp(parts.client)
            costs.get(operation.name)!.push(await costOf(operation, world, { ...parts, chores: chores.at(-1)! }, ms))
          }
        })
      }),
    )
  }
  return {
    rows,
    operations: wanted.map(({ name, byContract }) => {
      const found = costs.get(name)!
      return { name, ...(byContract && { byContract }), growth: growthOf(rows, found), costs: found }
    }),
    chores: [...chores.at(-1)!].map(([query, pages]) => ({
      query,
      pages: [
        pages,
        ...chores
          .slice(0, -1)
          .toReversed()
          .map((one) => one.get(query) ?? 0),
      ].toReversed(),
    })),
    bytes,
  }
}

type Measuring = Omit<Parameters<typeof costOf>[2], 'chores'>

type Filled = { rows: number; tables: string[] }

async function withService(
  databaseUrl: string,
  { rows, tables }: Filled,
  use: (parts: Measuring, world: World) => Promise<void>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-growth-'))
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end()))
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  process.env.CAIRN_BENCH_SETTINGS = JSON.stringify({
    CAIRN_WEBHOOK_HOSTS: host,
    CAIRN_WEBHOOK_RATE: '10000',
    CAIRN_WEBHOOK_LOG_ROWS: '1000000000',
    // Measures the SQL, which serves when the pins exceed the memory.
    CAIRN_PIN_INDEX_BYTES: '0',
  })
  const service = await startChild<{ url: string; token: string }>('service-process.ts', [databaseUrl, folder])
  delete process.env.CAIRN_BENCH_SETTINGS
  try {
    await client.query(`create extension pg_stat_statements`)
    const user = { authorization: `Bearer ${service.token}` }
    const app = await newBenchApp(service.url, service.token)
    const send = sender(service.url)
    const path = `/api/v1/apps/${app.id}/webhooks`
    const body = { url: `http://${host}/`, eventTypes: ['scan.failed'] }
    const { id: webhook } = await send({ method: 'POST', path, headers: user, body })
    const { rows: users } = await client.query(`update users set granted_roles = '{admin,ops}' returning id`)
    await seed(databaseUrl, { app: app.id, user: users[0].id, webhook, rows, tables })
    const key = { 'x-app-api-key': app.apiKey }
    // The first request loads the board's ranks.
    await send({ path: '/api/v1/apps/leaderboards/mini-game?limit=1', headers: key })
    await new Promise((resolve) => setTimeout(resolve, 1000 + rows / 400))
    await use(
      { client, service, postmaster: await postmasterOf(databaseUrl) },
      { app: app.id, key, user, rows, webhook },
    )
  } finally {
    receiver.close()
    await service.stop()
    await client.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Vacuums like autovacuum, so that dead rows of one operation do not affect the next. Dead rows cannot be removed while an older snapshot is in use: the job queue counts its jobs for some seconds at 10⁷. */
async function tidyUp(client: pg.Client) {
  const { rows: now } = await client.query('select pg_current_xact_id()::xid as id')
  for (;;) {
    const { rows } = await client.query(
      `select from pg_stat_activity
        where pid <> pg_backend_pid() and backend_xmin is not null and age(backend_xmin) > age($1::xid)`,
      [now[0].id],
    )
    if (rows.length === 0) break
    await sleep(100)
  }
  await client.query('vacuum')
}

/** Classifies the growth of pages over the last two powers of ten, and the last one: smaller tables first fill a page or two. A tree of ten times the rows is a third of a level deeper: some pages, or the 0.15th power. Undefined for one size. */
function growthOf(rows: number[], costs: Pick<Cost, 'pages'>[]): string {
  if (costs.length < 2) return ''
  const pages = costs.map((cost) => cost.pages).slice(-3)
  const sizes = rows.slice(-3)
  const now = pages.at(-1)!
  const grown = (from: number) => now - pages.at(from)!
  const exponent = (from: number) =>
    Math.log(now / Math.max(1, pages.at(from)!)) / Math.log(sizes.at(-1)! / sizes.at(from)!)
  if (grown(0) <= SOME_PAGES || exponent(0) <= 0.03) return 'constant'
  if (exponent(0) <= 0.15 && (exponent(-2) <= 0.15 || grown(-2) <= SOME_PAGES)) return 'logarithmic'
  return exponent(0) > 0.3 && exponent(-2) > 0.5 ? 'LINEAR' : 'more than logarithmic'
}

/** Whether an operation grows more than allowed, unless the interface documents why. */
export const isTooMuch = (growth: string): boolean => growth === 'LINEAR' || growth === 'more than logarithmic'
