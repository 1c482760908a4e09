import type pg from 'pg'
import { RESTORE_MARK } from '../database/migrate/unfinished-restore.ts'
import { copyIn } from '../database/query/copy.ts'
import { columnList, type DatabaseContents, tableName } from './dump.ts'

/** Tables that a start fills by itself: a database with nothing else is unused. */
const MADE_BY_A_START = [
  'migrations',
  'service_versions',
  'changes',
  'rank_generation',
  'rank_processes',
  'backup_state',
  'signing_keys',
  'oidc_keys',
  'oidc_records',
  'first_admin_links',
  'upload_days',
  'sign_in_tries',
]

/** Whether the database has no data to lose. */
export async function isUnused(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname <> all ($1)`,
    [MADE_BY_A_START],
  )
  for (const { name } of rows)
    if ((await client.query(`select from ${tableName(name)} limit 1`)).rowCount !== 0) return false
  return true
}

/**
 * Removes everything the service has created in the database, and marks it as being restored. @throws a sentence if
 * this account lacks the permission
 */
export async function empty(client: pg.ClientBase, { hadFiles }: { hadFiles: boolean }): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    `select exists (select from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r') as there`,
  )
  const emptied = `execute format('drop schema %1$I cascade', current_schema());
      create schema public;
      drop schema if exists pgboss cascade;`
  try {
    await client.query(`do $$ begin
      ${rows[0]!.there ? emptied : ''}
      create table ${RESTORE_MARK} as select ${hadFiles} as had_files;
    end $$`)
  } catch (error) {
    throw new Error(
      `This account cannot empty the database (${(error as Error).message}): create a new one and set CAIRN_DATABASE_URL`,
    )
  }
}

type Constraint = { table: string; name: string; definition: string }

/**
 * Loads tables inside the caller's transaction, with foreign keys and triggers off, which an owner of the tables may
 * do; the keys are checked when they are recreated.
 */
export async function loader(
  client: pg.ClientBase,
  { tables, sequences }: Pick<DatabaseContents, 'tables' | 'sequences'>,
) {
  const { rows: keys } = await client.query<Constraint>(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by 1, 2`,
  )
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${tableName(name)}`)
  for (const { name } of tables) {
    await client.query(`alter table ${tableName(name)} disable trigger user`)
    await client.query(`delete from ${tableName(name)}`)
  }

  return {
    /** Loads one part of a table. @returns the number of rows */
    load(table: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
      const known = tables.find(({ name }) => name === table)
      if (!known) throw new Error(`The backup has rows of "${table}", which is not in its list of tables`)
      return copyIn(client, `copy ${tableName(table)} (${columnList(known.columns)}) from stdin`, bytes)
    },

    /** Call it after all parts; also removes the mark. @throws if a row refers to a missing one */
    async finish(): Promise<void> {
      for (const { table, name, definition } of keys)
        await client.query(`alter table ${table} add constraint ${tableName(name)} ${definition}`)
      for (const { name } of tables) await client.query(`alter table ${tableName(name)} enable trigger user`)
      for (const [name, last] of Object.entries(sequences))
        await client.query('select setval($1::regclass, $2::bigint)', [tableName(name), last])
      await client.query(`drop table ${RESTORE_MARK}`)
    },
  }
}
