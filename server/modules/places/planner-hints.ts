import { type RawBuilder, sql } from 'kysely'

/** Within this radius a place has fewer pins than a tag has points worldwide. */
const FEW_METRES = 1000

/**
 * The end of a subquery that stays where it is written: PostgreSQL takes every box in space to hold a thousandth of the
 * pins, and would rather go through all bearers of a tag, 10,000 of ten million points, than ask each pin near a place
 * for its GCP. Farther than a kilometre it is left to choose.
 * @param metres up to which pins are near
 */
export const preferSpatialIndex = (metres: number): RawBuilder<unknown> =>
  metres <= FEW_METRES ? sql`offset 0` : sql``
