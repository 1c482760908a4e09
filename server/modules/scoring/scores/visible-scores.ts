import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../../../platform/credentials/callers.ts'

/** A condition, or nothing: the scores of a hidden or banned player are for server keys and for that player alone. */
export const visibleTo = (viewer: Viewer, appId: string, playerId: string): RawBuilder<unknown> =>
  viewer.seesAll || viewer.hiddenPlayer === playerId
    ? sql``
    : sql`and exists (select from players h where h.app_id = ${appId} and h.id = ${playerId} and h.standing = 'normal')`
