import type { CrsTable } from '../../../../reference-systems/crs.ts'
import { distantDatumIn } from '../../../../reference-systems/distant-datums.ts'
import { SurveyFileError } from '../../errors.ts'
import type { NamedSystems } from '../../table.ts'
import { truncate } from '../../truncate.ts'
import type { Layout } from '../layout.ts'

/**
 * Refuses latitudes and longitudes below a line that names a datum or an ellipsoid far from WGS 84 which was not read, as
 * `Ellipsoid: Bessel 1841`: on WGS 84 they would be up to hundreds of metres off.
 * @throws SurveyFileError UNKNOWN_CRS
 */
export function refuseUnreadDatum({ kind, crs, columns }: Layout, { titles }: NamedSystems, table: CrsTable): void {
  if ((kind !== 'geodetic' && kind !== 'position') || crs || columns.crs) return
  const named = titles.map(distantDatumIn).find((found) => found !== undefined)
  if (named === undefined) return
  const shown = truncate(named, 60)
  const [code] = [named, ...named.split(/[ (,;/]+/)].flatMap((text) => table.namedIn(`Datum: ${text}`) ?? [])
  const mend = code === undefined ? 'EPSG:n' : `${code} if that is it`
  throw new SurveyFileError(
    'UNKNOWN_CRS',
    `the line above the table names "${shown}", which was not read as a reference system, and on which latitudes and longitudes are up to hundreds of metres from those on WGS 84: name their system as ${mend} in that line or in crs=, or import with crs=EPSG:4326 if they are on WGS 84`,
  )
}
