import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import type { PlacedRow } from '../store.ts'

type Within = Kysely<AnyTables>
/** A photo of a GCP. */
type Shown = { gcpId: number; photoId: number }

/** Corners of tags that were placed by hand, in SQL. */
export const cornerStore = {
  async set(trx: Within, { gcpId, photoId }: Shown, { aprilTagId, corners }: PlacedRow, userId: string | null) {
    await sql`
      insert into gcp_photo_corners (gcp_id, file_id, april_tag_id, corners, user_id)
      values (${gcpId}, ${photoId}, ${aprilTagId}, ${JSON.stringify(corners)}::jsonb, ${userId})
      on conflict (gcp_id, file_id) do update set april_tag_id = excluded.april_tag_id, corners = excluded.corners,
        user_id = excluded.user_id, placed_at = excluded.placed_at`.execute(trx)
  },

  async remove(trx: Within, { gcpId, photoId }: Shown): Promise<void> {
    await sql`delete from gcp_photo_corners where gcp_id = ${gcpId} and file_id = ${photoId}`.execute(trx)
  },
}
export type CornerStore = typeof cornerStore
