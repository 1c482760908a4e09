import { type RawBuilder, sql } from 'kysely'

/** Within this radius, a place has fewer pins than a tag has points worldwide. */
const FEW_METRES = 1000

/**
 * Ends a subquery so that the planner does not move it: PostgreSQL assumes that every box in space has a thousandth of the
 * pins, and would rather scan all GCPs with a tag, 10,000 of ten million points, than look up the GCP of each pin near a
 * place. Beyond a kilometre, the planner may choose.
 * @param metres the radius of the search
 */
export const preferSpatialIndex = (metres: number): RawBuilder<unknown> =>
  metres <= FEW_METRES ? sql`offset 0` : sql``
