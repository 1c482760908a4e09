import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { BASELINE_ENDS } from '../../platform/database/migrate/baseline.ts'

const LIST = new URL('../fixtures/former-migrations.sha256', import.meta.url)

/** Replaces the recorded baseline by the migrations from before it; otherwise both databases are equal. Later migrations stay recorded. @param until the last of them; by default all */
export async function recordFormerHistory(client: pg.ClientBase, until = '9999'): Promise<void> {
  const lines = (await readFile(LIST, 'utf8')).trim().split('\n')
  const former = lines.map((line) => line.split('  ') as [checksum: string, name: string])
  const rows = former.filter(([, name]) => name <= until)
  await client.query('delete from migrations where name <= $1 or name = any ($2)', [
    BASELINE_ENDS,
    former.map(([, name]) => name),
  ])
  await client.query('insert into migrations (checksum, name) select * from unnest($1::text[], $2::text[])', [
    rows.map(([checksum]) => checksum),
    rows.map(([, name]) => name),
  ])
}
