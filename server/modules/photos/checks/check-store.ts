import { randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import type { DetectedPhotoTag, PhotoCheckResult } from '../schema.ts'

type Within = Kysely<AnyTables>

/** A run of the check of a photo, and its file. Its result is discarded if a later run has started. */
export type CheckRun = {
  run: string
  attempts: number
  key: string
  size: number
  sha256: string
  userId: string | null
}

/** The result of a run. */
export type CheckResult =
  | { problem: string }
  | {
      width: number
      height: number
      tags: DetectedPhotoTag[]
      exif: Omit<NonNullable<PhotoCheckResult['exif']>, 'distanceToGcp'> | null
      quality: { sharpness: number; exposure: number }
    }

export type CheckStore = ReturnType<typeof checkStore>

/** Checks of photos, in SQL. */
export function checkStore(db: Within) {
  return {
    transaction: <T>(work: (trx: Transaction<AnyTables>) => Promise<T>): Promise<T> => db.transaction().execute(work),

    /** Makes the checks of these photos pending, whatever they found before. */
    async request(trx: Within, fileIds: number[]): Promise<void> {
      await sql`
        insert into photo_checks (file_id) select distinct unnest(${fileIds}::bigint[])
        on conflict (file_id) do update set state = 'pending', attempts = 0, run = null, width = null, height = null,
          tags = '[]', exif = null, sharpness = null, exposure = null, problem = null, checked_at = null`.execute(trx)
    },

    /** @returns undefined if there is nothing to do: the check has ended, or the photo is deleted. */
    async begin(fileId: number): Promise<CheckRun | undefined> {
      const { rows } = await sql<CheckRun>`
        update photo_checks c set attempts = attempts + 1, run = ${randomUUID()}
          from files f where f.id = c.file_id and c.file_id = ${fileId} and c.state = 'pending'
        returning c.run, c.attempts, f.key, f.size, f.sha256, f.user_id as "userId"`.execute(db)
      return rows[0]
    },

    /** Does not count a run that failed for a reason outside the photo. */
    async uncount(trx: Within, fileId: number, { run }: CheckRun): Promise<void> {
      await sql`
        update photo_checks set attempts = greatest(attempts - 1, 0), run = null
         where file_id = ${fileId} and run = ${run} and state = 'pending'`.execute(trx)
    },

    /** Writes the result, to the pins of the photo too, unless a later run has started. @returns whether it did */
    async end(trx: Within, fileId: number, { run, key }: CheckRun, result: CheckResult): Promise<boolean> {
      // Before the check, as a change of a pin locks them: take_relocalization_tags.
      await sql`
        select from pins where object_key_in(relocalization_photo_url) = ${key} order by id for no key update`.execute(
        trx,
      )
      const found = 'problem' in result ? undefined : result
      const json = (value: object | null | undefined) => (value ? JSON.stringify(value) : null)
      const { rows } = await sql`
        update photo_checks set state = ${found ? 'read' : 'unreadable'}, run = null, width = ${found?.width ?? null},
               height = ${found?.height ?? null}, tags = coalesce(${json(found?.tags)}::jsonb, '[]'),
               exif = ${json(found?.exif)}::jsonb, sharpness = ${found?.quality.sharpness ?? null},
               exposure = ${found?.quality.exposure ?? null}, problem = ${'problem' in result ? result.problem : null},
               checked_at = clock_timestamp()
         where file_id = ${fileId} and run = ${run} and state = 'pending' returning file_id`.execute(trx)
      return rows.length > 0
    },

    /** Photos whose check was never requested, or all photos; by ID, after one. */
    async toCheck(after: number, all: boolean, limit: number): Promise<{ id: number; userId: string | null }[]> {
      const wanted = all ? sql`true` : sql`not exists (select from photo_checks c where c.file_id = p.id)`
      const { rows } = await sql<{ id: number; userId: string | null }>`
        select p.id, f.user_id as "userId"
          from (select file_id as id from gcp_photos
                union select file_id from photo_checks
                union select shown.id from pins join files shown on shown.key = object_key_in(relocalization_photo_url)
                       where object_key_in(relocalization_photo_url) is not null and shown.mime_type like 'image/%') as p
          join files f on f.id = p.id
         where p.id > ${after}::bigint and ${wanted} order by p.id limit ${limit}`.execute(db)
      return rows
    },

    async countPending(): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from photo_checks where state = 'pending'`.execute(db)
      return rows[0]!.count
    },

    /** GCPs that show photos, by ID, after one. */
    async gcpsWithPhotos(after: number, limit: number): Promise<number[]> {
      const { rows } = await sql<{ id: number }>`
        select id from gcps where id > ${after}::bigint and photo_urls <> '{}' and object_keys_in(photo_urls) <> '{}'
         order by id limit ${limit}`.execute(db)
      return rows.map(({ id }) => id)
    },
  }
}
