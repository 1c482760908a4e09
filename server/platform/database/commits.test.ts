import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { mayWrite } from './commits.ts'

test('a statement that calls a function that writes is known to write, and one that only reads to read', async () => {
  const { url, drop } = await createTestDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select distinct p.proname as name from pg_proc p join pg_language l on l.oid = p.prolang
      where p.pronamespace = 'public'::regnamespace and p.provolatile = 'v' and p.prorettype <> 'trigger'::regtype
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  )
  await client.end()
  await drop()
  expect(rows.map(({ name }) => name).filter((name) => !mayWrite(`select * from ${name}($1)`))).toEqual([])
  expect(mayWrite('with gone as (delete from players where id = $1 returning id) select count(*) from gone')).toBe(true)
  expect(mayWrite('select updated_at, deleted from players where id = $1 for no key update')).toBe(false)
})
