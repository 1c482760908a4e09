import type pg from 'pg'

export type Column = {
  name: string
  type: string
  isNullable: boolean
  /** An identity column, or one that is computed from others. */
  isGenerated: boolean
  comment: string | null
}

/** A primary key or a unique constraint. */
export type Key = { isPrimary: boolean; columns: string[] }

export type Reference = { table: string; columns: string[]; to: string }

export type Table = {
  name: string
  comment: string | null
  columns: Column[]
  keys: Key[]
  references: Reference[]
  /** What a column may hold, where a check names the values. */
  values: Record<string, string[]>
}

const COLUMNS = `
  select c.relname as "table", obj_description(c.oid, 'pg_class') as about, a.attname as name,
         format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as "isNullable",
         a.attidentity <> '' or a.attgenerated <> '' as "isGenerated", col_description(c.oid, a.attnum) as comment
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
   order by c.relname, a.attnum`

const CONSTRAINTS = `
  select k.conrelid::regclass::text as "table", k.contype as kind, k.confrelid::regclass::text as "to",
         array(select a.attname::text from unnest(k.conkey) with ordinality as p (attnum, place)
                 join pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.attnum order by place) as columns,
         pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
   where k.connamespace = current_schema()::regnamespace and k.contype in ('p', 'u', 'f', 'c') and k.conrelid <> 0
   order by k.conrelid::regclass::text, k.contype, k.conname`

/** Reads every table of the current schema, with its comments, keys and foreign keys, ordered by name. */
export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const tables = new Map<string, Table>()
  const columns = await client.query<Column & { table: string; about: string | null }>(COLUMNS)
  for (const { table, about, ...column } of columns.rows) {
    const known = tables.get(table) ?? {
      name: table,
      comment: about,
      columns: [],
      keys: [],
      references: [],
      values: {},
    }
    known.columns.push({ ...column, type: shortType(column.type) })
    tables.set(table, known)
  }
  const constraints = await client.query<{
    table: string
    kind: 'p' | 'u' | 'f' | 'c'
    to: string
    columns: string[]
    definition: string
  }>(CONSTRAINTS)
  for (const { table: name, kind, to, columns, definition } of constraints.rows) {
    const table = tables.get(name)!
    if (kind === 'f') table.references.push({ table: name, columns, to })
    else if (kind === 'c') {
      const values = valuesIn(definition)
      if (values && columns.length === 1) table.values[columns[0]!] = values
    } else table.keys.push({ isPrimary: kind === 'p', columns })
  }
  return [...tables.values()]
}

const shortType = (type: string) =>
  type.replace(/^timestamp(\(\d\))? with time zone$/, 'timestamptz$1').replace('double precision', 'float8')

/** The values of `column in ('a', 'b')`, as PostgreSQL writes that check. */
function valuesIn(definition: string): string[] | undefined {
  const list = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(definition)?.[1]
  return list?.match(/'[^']*'/g)?.map((value) => value.slice(1, -1))
}
