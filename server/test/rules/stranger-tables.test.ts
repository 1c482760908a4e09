import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessTable } from '../access/access-table.ts'
import { type Tenant, tenantOn } from '../access/access-world.ts'
import { boxGlb } from '../content/glb.ts'
import { formOf } from '../multipart.ts'
import { beginFlow } from '../network/box-sign-in.ts'
import { ROOT } from '../process.ts'
import { visitor } from '../scriptless-browser.ts'
import { type Service, startService } from '../service.ts'

let service: Service
let database: pg.Client
let own: Tenant
beforeAll(async () => {
  service = await startService()
  database = new pg.Client({ connectionString: service.databaseUrl })
  await database.connect()
  own = await tenantOn(service)
  await service.app.operator.accounts.add(
    { login: 'ada', password: 'correct horse battery', roles: [] },
    { actor: 'operator', address: null },
  )
  // The issuer's signing key is created with the first sign-in.
  await fetch((await beginFlow(service.url)).start, { redirect: 'manual' })
})
afterAll(async () => {
  await database.end()
  await service.stop()
})

/** The tables named in docs/limits.md under this heading. */
async function described(): Promise<string[]> {
  const text = await readFile(join(ROOT, 'docs/limits.md'), 'utf8')
  const [, section = ''] = text.split('## What callers without a credential can make\n')
  const rows = section.split('\n## ')[0]!.split('\n')
  return rows
    .flatMap((row) => (row.startsWith('| `') ? [...row.split('|')[1]!.matchAll(/`(\w+)`/g)] : []))
    .map(([, name]) => name!)
}

/** Internal tables that processes fold or purge within minutes, for all callers. */
const NOTES = [
  ...['changes', 'row_counts', 'row_count_changes'],
  ...['usage_hours', 'usage_refusals', 'board_hours', 'active_days'],
]

/** The number of rows of each table. */
async function rowsOf(): Promise<Map<string, number>> {
  const { rows: names } = await database.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
        and relname <> all ($1)`,
    [NOTES],
  )
  const counts = names.map(({ name }) => `select '${name}' as name, (select count(*) from "${name}")::int as rows`)
  const { rows } = await database.query<{ name: string; rows: number }>(counts.join(' union all '))
  return new Map(rows.map(({ name, rows }) => [name, rows]))
}

/** Waits for the jobs of the tenant's own calls, whose writes do not count. */
async function jobsEnded(): Promise<void> {
  const under = ['conversions', 'conversions_with_options', 'csv_uploads', 'scans'].map(
    (table) => `select status from ${table} where status in ('PENDING', 'PROCESSING')`,
  )
  await expect.poll(async () => (await database.query(under.join(' union all '))).rows).toEqual([])
}

/** Every operation without a credential, and the browser steps at the built-in issuer. */
async function asStranger(seen: () => Promise<void>) {
  let count = 0
  for (const [operation, rule] of Object.entries(accessTable)) {
    const [method] = operation.split(' ') as [string]
    const { path, body, headers } = await rule.call(own)
    if (/\/stream(\?|$)/.test(path)) continue
    await jobsEnded()
    await seen()
    await service.request(method, path, body, { ...headers, 'idempotency-key': `stranger ${++count}` })
    await seen()
  }
  await seen()
  await service.anonymous.post('/api/upload/convert', formOf({ name: 'box.glb', bytes: boxGlb() }))
  await service.anonymous.post('/api/upload/convert?scale=2', formOf({ name: 'box.glb', bytes: boxGlb() }))
  const who = visitor()
  await who.open((await beginFlow(service.url)).start)
  await who.submit({ login: 'ada', password: 'a wrong one' })
  await fetch(`${service.url}/oidc/session/end`)
  await fetch(`${service.url}/sign-in`, { redirect: 'manual' })
  await fetch(`${service.url}/first-admin?code=none`)
  await seen()
}

test('callers without a credential create rows only in the tables with a documented limit, and in each of those', {
  tags: ['long'],
}, async () => {
  const grown = new Set<string>()
  let before: Map<string, number> | undefined
  await asStranger(async () => {
    const now = await rowsOf()
    if (before) for (const [name, rows] of now) if (rows > before.get(name)!) grown.add(name)
    before = before ? undefined : now
  })
  expect([...grown].toSorted()).toEqual((await described()).toSorted())
})
