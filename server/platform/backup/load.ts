import type pg from 'pg'
import { RESTORE_MARK } from '../database/migrate/unfinished-restore.ts'
import { copyIn } from '../database/query/copy.ts'
import { columnList, type DatabaseContents, tableName } from './dump.ts'

/** Tables whose rows a start makes by itself: a database with nothing else in it was not used yet. */
const MADE_BY_A_START = [
  'migrations',
  'changes',
  'rank_generation',
  'rank_processes',
  'signing_keys',
  'oidc_keys',
  'oidc_records',
  'first_admin_links',
  'upload_days',
  'sign_in_tries',
]

/** Whether nothing would be lost if all of the database went. */
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

/** Takes everything away that a service made in the database, and marks it as being restored. @throws a sentence when this account may not */
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
      `The database cannot be emptied by this account (${(error as Error).message}): make a new one and name it in CAIRN_DATABASE_URL`,
    )
  }
}

type Constraint = { table: string; name: string; definition: string }

/** Loads tables inside the caller's transaction. While it lasts foreign keys and triggers are off, for which an owner of the tables needs no other right; the keys are checked when they are made again. */
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
    /** One part of a table. @returns how many rows */
    load(table: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
      const known = tables.find(({ name }) => name === table)
      if (!known) throw new Error(`The backup has rows of "${table}", which it does not name as a table`)
      return copyIn(client, `copy ${tableName(table)} (${columnList(known.columns)}) from stdin`, bytes)
    },

    /** Once all parts are there: with the rows the mark goes. @throws when a row refers to one that is not */
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
