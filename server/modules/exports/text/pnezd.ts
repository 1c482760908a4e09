import { stringify } from 'csv-stringify/sync'
import { guardText } from '../../surveys/parser/rows/text-guard.ts'
import type { Export, PlacedGcp } from '../schema.ts'
import { oneLine } from './header-comments.ts'

/**
 * Points for survey controllers: point, northing, easting, z, description, without a header. z is the altitude, otherwise h,
 * in the system's unit, and empty without a height. Points without coordinates are left out.
 */
export async function* pnezdOf({ system, batches }: Export): AsyncGenerator<string> {
  const cells = ({ title, x, y, h, altitude, description }: PlacedGcp) => {
    const height = altitude ?? h
    const z = height === null ? null : Number((height / system!.unit).toFixed(6))
    return [guardText(oneLine(title)), y, x, z, guardText(oneLine(description ?? ''))]
  }
  for await (const gcps of batches)
    yield stringify(gcps.filter(({ x }) => x !== null).map(cells), { record_delimiter: 'windows' })
}
