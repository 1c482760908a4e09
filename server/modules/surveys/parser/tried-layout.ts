import type { CrsTable } from '../../reference-systems/crs.ts'
import { crsNameOf } from '../../reference-systems/crs-text.ts'
import { heightDatumIn } from '../../reference-systems/heights/datum-aliases.ts'
import { datumNamed } from '../../reference-systems/heights/named-datum.ts'
import { isSameDatum } from '../../reference-systems/horizontal-datum.ts'
import { SurveyFileError } from './errors.ts'
import { isProjected } from './layout/axes.ts'
import { detectLayout } from './layout/detect-layout.ts'
import type { Layout, LayoutContext } from './layout/layout.ts'
import { requestedZone } from './layout/systems/two-systems.ts'
import type { NamedSystems, SurveyRecord } from './table.ts'

/** `System: Leica GS18` may also name the instrument or the units. */
const DEVICE = /^\W{0,9}(?:system\b|(?:syst[eè]me|sistema)\s?[:,;|])/i

/** The reference system from the lines above the table or from the caller, or the name of an unknown one. */
export function systemNamed(prelude: NamedSystems, crs: string | undefined, table: CrsTable) {
  const line = prelude.titles.find((title) => table.namedIn(title) !== undefined)
  // A line with WGS84 may name only the datum, and another line the projection.
  const byName = line === undefined ? undefined : table.namedIn(line)
  const byCode = prelude.crs === 'EPSG:4326' ? (byName ?? prelude.crs) : prelude.crs
  const crsText = requestedZone(byCode, prelude, crs, table) ?? byCode ?? byName ?? crs
  const labelled = prelude.titles
    .filter((title) => !DEVICE.test(title))
    .map(crsNameOf)
    .find((named) => named?.labelled)
  return {
    crsText,
    isUnnamed: (byCode ?? byName) === undefined,
    unreadCrs: crsText === undefined ? labelled?.name : undefined,
    vagueCrs: crsText === undefined ? vagueIn(prelude.titles, table) : undefined,
    heightDatum:
      prelude.vertical === undefined
        ? [prelude.crsLine ?? '', ...prelude.titles, crsText === crs ? (crs ?? '') : '']
            .map(heightDatumIn)
            .find(Boolean)
        : datumNamed(table.heights, prelude.vertical),
  }
}

/** The projected system of a line below that of the datum. */
const gridIn = (titles: readonly string[], table: CrsTable): string | undefined =>
  titles.flatMap((title) => table.namedIn(title) ?? []).find((text) => isProjected(table.find(text)))

/** Longer lines are remarks. */
const MAX_VAGUE = 40
const MAX_VAGUE_LINES = 5

/** The line of a system without its datum or its zone, such as `Lo29`. */
const vagueIn = (titles: readonly string[], table: CrsTable): string | undefined =>
  titles
    .filter((title) => title.length <= MAX_VAGUE && /\d/.test(title))
    .slice(0, MAX_VAGUE_LINES)
    .find((title) => table.projectedLike(title).length > 0)

/**
 * The layout of the table, or the error that refuses it. A file of grid coordinates that names their datum first, as
 * `WGS84` or `OSGB36`, is read in the projected system of another line or of the request if that has the same datum.
 * @param titles the other lines above the table @param given the system of the request
 */
export function triedLayout(
  first: SurveyRecord[],
  context: LayoutContext,
  titles: readonly string[],
  given: string | undefined,
): { layout?: Layout; fault?: unknown } {
  try {
    return { layout: detectLayout(first, context) }
  } catch (fault) {
    const { crsText, table } = context
    const systemOf = (text: string | undefined) => {
      const crs = text === undefined ? undefined : table.find(text)
      return typeof crs === 'object' ? crs : undefined
    }
    const named = systemOf(crsText)
    const isOnlyDatum = fault instanceof SurveyFileError && fault.code === 'UNKNOWN_CRS' && named?.kind === 'geographic'
    const grid = isOnlyDatum ? (gridIn(titles, table) ?? given) : undefined
    const wanted = systemOf(grid)
    if (isOnlyDatum && wanted?.kind === 'projected' && isSameDatum(wanted.datum(), named.datum()))
      return triedLayout(first, { ...context, crsText: grid }, [], undefined)
    return { fault }
  }
}
