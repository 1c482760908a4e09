import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { mayWrite, notingCommits, type Work } from './commits.ts'
import { openDatabase } from './database.ts'

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

test('what a statement commits is noted in the work that sent it, though it waited for the connection of another', async () => {
  const { url, drop } = await createTestDatabase()
  const { pool, close } = openDatabase({ url, applicationName: 'commits-test', max: 1, notesCommits: true })
  await pool.query('create table noted (id int)')
  const [reads, writes]: Work[] = [{ hasCommitted: false }, { hasCommitted: false }]
  const reading = notingCommits(reads!, () => pool.query('select pg_sleep(0.2)'))
  const writing = notingCommits(writes!, () => pool.query('insert into noted values (1)'))
  // Outside of any work: what is noted in none before it is not noted there either.
  const others = [pool.query('insert into noted values (2)'), notingCommits(reads!, () => pool.query('select 1'))]
  await Promise.all([reading, writing, ...others])
  expect([reads!.hasCommitted, writes!.hasCommitted]).toEqual([false, true])
  await close()
  await drop()
})
