import type pg from 'pg'
import { appliedOn } from '../database/migrate/migrate.ts'
import { copyOut } from '../database/query/copy.ts'
import type { ArchiveWriter } from './archive.ts'

/** Size of a part of a table, which is buffered whole, because an entry begins with its size. */
const PART_BYTES = 8 * 2 ** 20

/** Not dumped: the target has its own migrations, and the others concern running processes or this installation. */
const LEFT_OUT = [
  'migrations',
  'changes',
  'fence_events',
  'entering_fixes',
  'rank_generation',
  'rank_processes',
  'backup_state',
]

/**
 * Rows to dump if only some are meaningful elsewhere: the bytes of an unfinished upload are in this machine's data
 * folder, and a running request ends here.
 */
const ONLY: Record<string, string> = {
  resumable_uploads: 'finished_at is not null',
  idempotency_keys: `state <> 'running'`,
}

/** Types whose values count transactions or bytes of one cluster. */
const OF_A_CLUSTER = ['xid', 'xid8', 'pg_snapshot', 'txid_snapshot', 'pg_lsn', 'tid']

export type DumpedTable = { name: string; columns: string[] }

/** What there is to dump. */
export type DatabaseContents = {
  migrations: { name: string; checksum: string }[]
  tables: DumpedTable[]
  /** The last value of each sequence. */
  sequences: Record<string, string>
  postgres: string
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
export const columnList = (columns: string[]): string => columns.map(quoted).join(', ')
export const tableName = quoted

/** @throws if a table has values that are meaningless in another cluster */
export async function contentsOf(client: pg.ClientBase): Promise<DatabaseContents> {
  const { rows: tables } = await client.query<DumpedTable & { foreign: string[] | null }>(
    `select c.relname as name,
            array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
            array_agg(a.attname::text) filter (where a.atttypid::regtype::text = any($2)) as "foreign"
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname <> all ($1)
      group by c.relname order by c.relname`,
    [LEFT_OUT, OF_A_CLUSTER],
  )
  const wrong = tables.find((table) => table.foreign)
  if (wrong)
    throw new Error(`The table ${wrong.name} cannot be dumped: ${wrong.foreign} counts transactions of this cluster`)
  const { rows: sequences } = await client.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences
      where schemaname = current_schema() and last_value is not null`,
  )
  const { rows: version } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  )
  return {
    migrations: [...(await appliedOn(client))].map(([name, checksum]) => ({ name, checksum })),
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    sequences: Object.fromEntries(sequences.map(({ name, last }) => [name, last])),
    postgres: version[0]!.version,
  }
}

/**
 * Writes all rows of a table in the text format of COPY, which every release of PostgreSQL reads. @returns their number
 */
export async function dumpTable(client: pg.ClientBase, table: DumpedTable, archive: ArchiveWriter): Promise<number> {
  const { name, columns } = table
  const rows = ONLY[name] ? `${quoted(name)} where ${ONLY[name]}` : quoted(name)
  const copy = copyOut(client, `copy (select ${columnList(columns)} from ${rows}) to stdout`)
  let [parts, waiting, size] = [0, [] as Buffer[], 0]
  const write = async () => {
    await archive.addWhole(`database/${name}/${String(++parts).padStart(8, '0')}.copy`, Buffer.concat(waiting))
    waiting = []
    size = 0
  }
  for await (const piece of copy.bytes) {
    waiting.push(piece)
    size += piece.length
    if (size >= PART_BYTES) await write()
  }
  if (size > 0) await write()
  return copy.rows()
}
