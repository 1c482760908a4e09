import type pg from 'pg'

/** A version of Cairn that has used a database. */
export type ServiceVersion = { version: string; lastMigration: string; lastUsedAt: string }

/** Records that this version uses the database; does nothing before the migration that creates the table. */
export async function recordVersion(client: pg.ClientBase, version: string, lastMigration: string): Promise<void> {
  if (!(await isThere(client))) return
  await client.query(
    `insert into service_versions (version, last_migration) values ($1, $2)
         on conflict (version) do update set last_migration = excluded.last_migration, last_used_at = now()`,
    [version, lastMigration],
  )
}

/** The versions that have used the database, the one used last first; none before versions were recorded. */
export async function versionsOn(client: pg.ClientBase): Promise<ServiceVersion[]> {
  if (!(await isThere(client))) return []
  const { rows } = await client.query<ServiceVersion>(
    `select version, last_migration as "lastMigration", api_moment(last_used_at) as "lastUsedAt"
       from service_versions order by last_used_at desc, version`,
  )
  return rows
}

/**
 * Checks that no newer release has changed the database in a way that this one cannot handle. @param known the
 * migrations of this release @throws a sentence that names the version to install
 */
export async function assertNotNewer(client: pg.ClientBase, known: ReadonlySet<string>, version: string) {
  const { rows } = await client.query<{ name: string; needs: string }>(
    'select name, needs from migrations where needs is not null order by needs desc, name',
  )
  const excluding = rows.find(({ needs }) => !known.has(needs))
  if (!excluding) return
  const fitting = (await versionsOn(client)).findLast((one) => one.lastMigration >= excluding.needs)
  const install =
    fitting && fitting.version !== version
      ? `install Cairn ${fitting.version} or newer`
      : `start a release that has ${excluding.needs}`
  throw new Error(
    `This database was migrated by a newer release (${excluding.name}), which Cairn ${version} does not support: ${install}, or restore the backup from before the upgrade`,
  )
}

async function isThere(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('service_versions') is not null as there`)
  return rows[0]!.there
}
