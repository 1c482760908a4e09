import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { release } from '../../process/release.ts'
import { dedicatedClient } from '../locks/dedicated-client.ts'
import { LOCKS } from '../locks/locks.ts'
import { KEEPALIVE } from '../locks/session-locks.ts'
import { asBaseline, type History, LACKS_BASELINE } from './baseline.ts'
import { assertNotNewer, recordVersion } from './service-versions.ts'
import { RESTORE_BROKE_OFF, unfinishedRestore } from './unfinished-restore.ts'

type MigrateOptions = {
  /** Names of migrations that may be applied; others wait. */
  only?: ReadonlySet<string>
  /** Reports what would be applied, without applying it. */
  isDryRun?: boolean
  /** Whether this is part of a restore. */
  isRestore?: boolean
}

/** A schema change waits this long for readers of its table. Requests queue up behind it, and give up after a second. */
const LOCK_TIMEOUT_MS = 250
/** And is retried for this long. */
const GIVE_UP_MS = 10 * 60_000
const TURN_MS = 100
/** lock_not_available and deadlock_detected. */
const IN_THE_WAY = /^(55P03|40P01)$/

/**
 * First line of a migration that older processes do not survive: the oldest migration whose release does, and the
 * reason.
 */
const NEEDS = /^-- needs (\d{4}_\w+\.sql): \S/
/**
 * First line of a migration that cannot run in a transaction (`create index concurrently`); every statement must be
 * repeatable, and end its line.
 */
const ONE_BY_ONE = /^-- one by one: \S/

/** The migrations of a folder, in order, with checksums. */
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
 * Applies every `NNNN_name.sql` of the folder that has not been applied, in order, each in its own transaction, or
 * statement by statement if its first line says so. Processes of the previous release may run meanwhile: a change that
 * does not get its lock within a quarter of a second lets others go first, and is retried for ten minutes. Concurrent starts
 * take turns; a second run changes nothing. Migrations of a newer release are accepted unless one of them excludes this
 * release. The database records that this version used it. A database with every migration from before the baseline is
 * recorded as one created by the baseline.
 * @returns the names applied now @throws if an applied file has changed, if the database lacks migrations from before
 * the baseline or needs a newer release, or while a restore is incomplete
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
    const version = await release()
    const applied = await historyOf(client, known, { isDryRun, version })
    const record = async () => isDryRun || recordVersion(client, version, known.at(-1)!.name)
    // First: an older release may start after this process was killed between two migrations.
    await record()
    const done: string[] = []
    for (const { name, sql, checksum } of known) {
      if (only && !only.has(name)) continue
      const before = applied.get(name)
      if (before && before !== checksum)
        throw new Error(
          `Migration ${name} was changed after it was applied: restore it, and add a new migration for the change`,
        )
      if (!before) {
        if (!isDryRun) await apply(client, name, sql, checksum)
        done.push(name)
      }
    }
    if (done.length > 0) await record()
    return done
  } finally {
    await client.end()
  }
}

/** The applied migrations with their checksums; none in an empty database. */
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

/** Polls instead of waiting in the database: building an index concurrently waits for all waiting transactions. */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      LOCKS.migrations,
    ])
    if (rows[0]!.taken) return
    await sleep(TURN_MS)
  }
}

/** The applied migrations in terms of the baseline. @throws a sentence if this release cannot use the database */
async function historyOf(
  client: pg.Client,
  known: { name: string; checksum: string }[],
  { isDryRun, version }: { isDryRun: boolean; version: string },
): Promise<History> {
  const recorded = await appliedOn(client)
  const applied = asBaseline(recorded, known)
  if (!applied) throw new Error(LACKS_BASELINE)
  if (applied === recorded) {
    if (recorded.size > 0) await assertNotNewer(client, new Set(known.map(({ name }) => name)), version)
  } else if (!isDryRun) await adoptBaseline(client, applied, known[0]!.name)
  return applied
}

/** Records the baseline in place of the migrations that it replaced. Earlier releases then refuse to start. */
async function adoptBaseline(client: pg.Client, applied: History, needs: string): Promise<void> {
  await client.query(
    `with former as (delete from migrations where not name = any ($1))
     insert into migrations (name, checksum, needs)
     select name, checksum, case name when $3 then $3 end from unnest($1::text[], $2::text[]) m (name, checksum)
         on conflict (name) do nothing`,
    [[...applied.keys()], [...applied.values()], needs],
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
      const outcome = ONE_BY_ONE.test(sql) ? 'will be retried from its beginning' : 'changed nothing'
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
