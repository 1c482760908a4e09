import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { dedicatedClient } from '../locks/dedicated-client.ts'
import { LOCKS } from '../locks/locks.ts'
import { KEEPALIVE } from '../locks/session-locks.ts'
import { asBaseline, type History, LACKS_BASELINE } from './baseline.ts'
import { RESTORE_BROKE_OFF, unfinishedRestore } from './unfinished-restore.ts'

type MigrateOptions = {
  /** Names of those that may be applied; the others wait. */
  only?: ReadonlySet<string>
  /** Says what would be applied, and applies nothing. */
  isDryRun?: boolean
  /** A backup is being restored, and this is a part of it. */
  isRestore?: boolean
}

/** A change of a table waits so long for those who are reading it; whoever comes after it waits behind it. */
const LOCK_TIMEOUT_MS = 500
/** And is tried again for so long. */
const GIVE_UP_MS = 10 * 60_000
const TURN_MS = 100
/** PostgreSQL's lock_not_available, and deadlock_detected. */
const IN_THE_WAY = /^(55P03|40P01)$/

/** First line of a migration that older processes do not survive: it names the oldest migration whose release does, and says why. */
const NEEDS = /^-- needs (\d{4}_\w+\.sql): \S/
/** First line of one that cannot run in a transaction (`create index concurrently`); every statement of it may run again, and ends its line. */
const ONE_BY_ONE = /^-- one by one: \S/

/** The migrations of a folder, in order, with the checksums of their texts. */
export async function migrationsIn(folder: string): Promise<{ name: string; sql: string; checksum: string }[]> {
  const names = (await readdir(folder)).filter((file) => /^\d{4}_\w+\.sql$/.test(file)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Brings the database up to date: every `NNNN_name.sql` of the folder that was not applied yet, in order, each in a transaction of its own, or statement by statement where its first line says so.
 * A process of the release before may run meanwhile: a change that cannot have a lock within half a second lets others go first, and is tried again for ten minutes.
 * Processes that start together take turns; running twice changes nothing. Migrations that a newer release applied are left alone: this process works with them, unless one of them says that it does not.
 * A database that has every migration from before the baseline is recorded as one made by the baseline.
 * @returns the names applied now. @throws when an applied file was changed since, when the database lacks migrations from before the baseline, when it is for newer processes only, and while a restore has not come to its end: so nothing is served of one that was broken off.
 */
export async function migrate(
  url: string,
  folder: string,
  { only, isDryRun = false, isRestore = false }: MigrateOptions = {},
): Promise<string[]> {
  const client = dedicatedClient(url, 'cairn-migrate')
  await client.connect()
  try {
    await client.query(KEEPALIVE)
    await takeTurn(client)
    if (!isRestore && (await unfinishedRestore(client))) throw new Error(RESTORE_BROKE_OFF)
    if (!isDryRun)
      await client.query(
        'create table if not exists migrations (name text primary key, checksum text not null, needs text, applied_at timestamptz not null default now())',
      )
    const known = await migrationsIn(folder)
    const applied = await historyOf(client, known, isDryRun)
    const done: string[] = []
    for (const { name, sql, checksum } of known) {
      if (only && !only.has(name)) continue
      const before = applied.get(name)
      if (before && before !== checksum)
        throw new Error(
          `Migration ${name} was changed after it was applied: restore it, and put the change into a new one`,
        )
      if (!before) {
        if (!isDryRun) await apply(client, name, sql, checksum)
        done.push(name)
      }
    }
    return done
  } finally {
    await client.end()
  }
}

/** The migrations that were applied, with the checksums of their texts; none where there is no database of ours yet. */
export async function appliedOn(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('migrations') is not null as there`,
  )
  if (!found[0]!.there) return new Map()
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations order by name',
  )
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

/** Not by waiting in the database: an index that is built concurrently waits for all who wait there. */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      LOCKS.migrations,
    ])
    if (rows[0]!.taken) return
    await sleep(TURN_MS)
  }
}

/** What was applied, in terms of the baseline. @throws a sentence where this release cannot work on the database */
async function historyOf(
  client: pg.Client,
  known: { name: string; checksum: string }[],
  isDryRun: boolean,
): Promise<History> {
  const recorded = await appliedOn(client)
  const applied = asBaseline(recorded, known)
  if (!applied) throw new Error(LACKS_BASELINE)
  if (applied === recorded) await mustKnow(client, new Set(known.map(({ name }) => name)))
  else if (!isDryRun) await adoptBaseline(client, applied, known[0]!.name)
  return applied
}

/** Records the baseline in place of the migrations that it replaced. Releases before it refuse to start from then on. */
async function adoptBaseline(client: pg.Client, applied: History, needs: string): Promise<void> {
  await client.query(
    `with former as (delete from migrations where not name = any ($1))
     insert into migrations (name, checksum, needs)
     select name, checksum, case name when $3 then $3 end from unnest($1::text[], $2::text[]) m (name, checksum)
         on conflict (name) do nothing`,
    [[...applied.keys()], [...applied.values()], needs],
  )
}

/** @throws a sentence where a newer release made the database one that this release would be wrong about */
async function mustKnow(client: pg.Client, known: Set<string>): Promise<void> {
  if ((await appliedOn(client)).size === 0) return
  const { rows } = await client.query<{ name: string; needs: string }>(
    'select name, needs from migrations where needs is not null order by name',
  )
  const missing = rows.find(({ needs }) => !known.has(needs))
  if (missing)
    throw new Error(
      `This database was brought to a newer release (by ${missing.name}), and this one would be wrong about it: start a release that has ${missing.needs}`,
    )
}

const NOTE = 'insert into migrations (name, checksum) values ($1, $2)'

async function apply(client: pg.Client, name: string, sql: string, checksum: string) {
  for (const until = performance.now() + GIVE_UP_MS; ; await sleep(TURN_MS + Math.random() * 1000)) {
    try {
      return await applyOnce(client, name, sql, checksum)
    } catch (error) {
      const isInTheWay = IN_THE_WAY.test((error as { code?: string }).code ?? '')
      if (isInTheWay && performance.now() < until) continue
      const outcome = ONE_BY_ONE.test(sql) ? 'will be tried again from its beginning' : 'changed nothing'
      throw new Error(`Migration ${name} failed and ${outcome}: ${(error as Error).message}`, { cause: error })
    }
  }
}

async function applyOnce(client: pg.Client, name: string, sql: string, checksum: string) {
  const [, needs] = NEEDS.exec(sql) ?? []
  if (ONE_BY_ONE.test(sql)) {
    for (const statement of sql.split(/;[ \t]*$/m)) if (/\S/.test(statement)) await client.query(statement)
    await client.query(NOTE, [name, checksum])
    return
  }
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await client.query(sql)
    await client.query(NOTE, [name, checksum])
    if (needs) await client.query('update migrations set needs = $2 where name = $1', [name, needs])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
