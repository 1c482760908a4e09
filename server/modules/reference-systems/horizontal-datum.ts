import type { Proj } from './proj/library.ts'
import type { System } from './proj/systems.ts'

/** PJ_WKT_TYPE of proj.h. */
const WKT2_2019 = 2
const MODERN_ELLIPSOID = /^(?:GRS|WGS)[ _]?(?:19)?8[04]/i
/** The first datum or ensemble in WKT. */
const DATUM = /(?:DATUM|ENSEMBLE)\["((?:[^"]|"")*)"/

/** Whether a datum is on an ellipsoid of satellite geodesy: all of these are close to WGS84. */
export const isModern = ({ ellipsoid }: Pick<System, 'ellipsoid'>): boolean => MODERN_ELLIPSOID.test(ellipsoid ?? '')

/** The name of the geodetic datum of a system; one for all those of satellite geodesy. */
export function datumOf(library: Proj, system: System): string {
  if (isModern(system)) return 'of satellite geodesy'
  const wkt = library.text('proj_as_wkt', library.context, system.pointer, WKT2_2019, 0) ?? ''
  return DATUM.exec(wkt)?.[1] ?? ''
}
