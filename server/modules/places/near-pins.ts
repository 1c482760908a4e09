import { type RawBuilder, sql } from 'kysely'
import { CHORD_MARGIN_METRES } from './geodesy.ts'
import { preferSpatialIndex } from './planner-hints.ts'

/** A subquery of the GCPs' pins within `metres` of a point in space, plus a margin: gcp_id, place, latitude, longitude. */
export const gcpPinsNear = (point: RawBuilder<unknown>, metres: number): RawBuilder<unknown> => sql`(
  select gcp_id, place, latitude, longitude from pins
   where place <@ cube_enlarge(${point}, ${metres + CHORD_MARGIN_METRES}::float8, 3) and gcp_id is not null
   ${preferSpatialIndex(metres)})`
