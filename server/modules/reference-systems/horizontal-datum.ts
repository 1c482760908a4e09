import type { Proj } from './proj/library.ts'
import type { System } from './proj/systems.ts'

const MODERN_ELLIPSOID = /^(?:GRS|WGS)[ _]?(?:19)?8[04]/i
/** Whether a datum is on an ellipsoid of satellite geodesy: all of these are close to WGS84. */
export const isModern = ({ ellipsoid }: Pick<System, 'ellipsoid'>): boolean => MODERN_ELLIPSOID.test(ellipsoid ?? '')

/** The same of the register's systems, where China's datum has an ellipsoid of its own. */
export const isSatelliteDatum = (system: Pick<System, 'ellipsoid' | 'name'>): boolean =>
  (isModern(system) || /^CGCS ?2000/.test(system.ellipsoid ?? '')) &&
  !/sphere/i.test(system.ellipsoid ?? '') &&
  !/^(?:Unknown|Unspecified|Not specified)/i.test(system.name)

/** The geodetic datum of a system. */
export type Datum = { name: string; isModern: boolean }

/** The geodetic datum or ensemble of a system, by its name in the register. */
export function datumOf(library: Proj, system: System): Datum {
  const datum = library.number('proj_crs_get_datum_forced', library.context, system.pointer)
  const name = datum ? library.text('proj_get_name', datum) : undefined
  if (datum) library.run('proj_destroy', datum)
  return { name: name ?? '', isModern: isModern(system) }
}

/**
 * Whether coordinates on one datum may be taken for those on another: those of satellite geodesy are a few metres apart
 * at most. Two realizations that differ in their year are not the same, as GDA94 and GDA2020, or JGD2000 and JGD2011.
 */
export function isSameDatum(one: Datum, other: Datum): boolean {
  if (one.name === other.name) return true
  const withoutYear = ({ name }: Datum) => name.replace(/\d{4}\D?$/, '')
  return one.isModern && other.isModern && withoutYear(one) !== withoutYear(other)
}
