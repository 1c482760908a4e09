import { SurveyFileError } from '../../errors.ts'
import { isExport } from '../../rows/cairn-export.ts'
import type { Pair } from '../axes.ts'
import type { Layout, LayoutContext } from '../layout.ts'
import { withoutOutliers } from '../outliers.ts'
import { cellOf, pairRoles, pairsOf } from '../sample.ts'
import { byGrid, byRange, byZone } from './evidence.ts'
import { type Packed, packedFormOf, readPacked } from './packed.ts'
import { looksPacked } from './packed-chance.ts'
import { radiansNotice } from './radians.ts'

/** A row with two plain numbers in both readings; `packed` is missing if minutes or seconds are 60 or more. */
type Sampled = { fields: string[]; decimal: Pair; packed: Pair | undefined }

/**
 * Decides whether numbers under latitude and longitude are decimal degrees or packed degrees, minutes and seconds, by
 * the grid coordinates in the same rows, otherwise by the zone, otherwise by the range of degrees. If none decides,
 * warns of numbers whose minutes and seconds are all valid, which chance hardly explains.
 * @throws SurveyFileError AMBIGUOUS_ANGLES if only packed angles agree with the grid or the zone
 */
export function withAngles(layout: Layout, rows: readonly string[][], context: LayoutContext): Layout {
  if (layout.kind !== 'geodetic') {
    if (context.angles === 'dms-packed' && layout.kind !== 'geocentric') throw noAngles()
    return layout
  }
  if (context.angles === 'decimal') return { ...layout, angles: 'decimal' }
  const pairs = pairsOf(rows, layout.columns, pairRoles.geodetic, layout.decimal)
  const form = packedFormOf(
    pairs.map(([, latitude]) => latitude),
    pairs.map(([longitude]) => longitude),
  )
  if (context.angles === 'dms-packed') return { ...layout, angles: form }
  const turned = [layout.columns.latitude![0]!, layout.columns.longitude![0]!].some(({ turn = 1 }) => turn !== 1)
  // Exports of this service are decimal; gons and radians have no minutes.
  if (isExport(layout.columns) || turned) return layout
  const radians = radiansNotice(pairs, layout, rows, context)
  const noted = radians ? { ...layout, notices: [...layout.notices, radians] } : layout
  const sampled = sample(layout, rows, form)
  const whole = withoutOutliers(sampled, ({ packed }) => packed !== undefined) as (Sampled & { packed: Pair })[]
  if (whole.length === 0 || whole.some(({ packed }) => packed === undefined)) return noted
  const verdict = byGrid(whole, layout, context) ?? byZone(whole, context) ?? byRange(whole)
  if (verdict === 'decimal') return layout
  if (verdict) throw runTogether(layout, whole[0]!, verdict)
  if (form !== 'DD.MMSSsss' || !looksPacked(whole.map(({ fields }) => cellsOf(layout, fields)))) return noted
  return { ...noted, notices: [...noted.notices, { code: 'ANGLES_ASSUMED', message: doubt(layout, whole[0]!) }] }
}

const cellsOf = ({ columns }: Layout, fields: readonly string[]) => ({
  latitude: cellOf(fields, columns.latitude).trim(),
  longitude: cellOf(fields, columns.longitude).trim(),
})

function sample(layout: Layout, rows: readonly string[][], form: Packed): Sampled[] {
  const { columns, decimal } = layout
  return rows.flatMap((fields) => {
    const [plain] = pairsOf([fields], columns, pairRoles.geodetic, decimal)
    if (!plain) return []
    const cells = cellsOf(layout, fields)
    const [longitude, latitude] = [cells.longitude, cells.latitude].map((cell) => readPacked(cell, form, decimal))
    const isPlace = Math.abs(latitude?.degrees ?? 91) <= 90 && Math.abs(longitude?.degrees ?? 181) <= 180
    return [{ fields, decimal: plain, packed: isPlace ? [longitude!.degrees, latitude!.degrees] : undefined }]
  })
}

const shown = (value: number) => String(Math.round(value * 1e7) / 1e7)

/** Describes both readings of a row. */
function readings(layout: Layout, { fields, packed, decimal }: Sampled & { packed: Pair }) {
  const cells = cellsOf(layout, fields)
  const [lat, lon] = [layout.columns.latitude![0]!.name, layout.columns.longitude![0]!.name]
  return {
    figures: `${lat} "${cells.latitude}" and ${lon} "${cells.longitude}"`,
    together: `latitude ${shown(packed[1])}, longitude ${shown(packed[0])}`,
    plain: `latitude ${shown(decimal[1])}, longitude ${shown(decimal[0])}`,
  }
}

function runTogether(layout: Layout, row: Sampled & { packed: Pair }, why: string): SurveyFileError {
  const { figures, together, plain } = readings(layout, row)
  return new SurveyFileError(
    'AMBIGUOUS_ANGLES',
    `${figures} are packed degrees, minutes and seconds (${together}) rather than decimal degrees (${plain}): ${why}; import with angles=dms-packed, or with angles=decimal to read decimal degrees anyway`,
  )
}

function doubt(layout: Layout, row: Sampled & { packed: Pair }): string {
  const { figures, together, plain } = readings(layout, row)
  return `${figures} were read as decimal degrees (${plain}), but all sampled numbers have minutes and seconds below 60 and may be packed (${together}): if they are, import with angles=dms-packed; angles=decimal confirms decimal degrees`
}

const noAngles = () =>
  new SurveyFileError(
    'AMBIGUOUS_ANGLES',
    'angles=dms-packed is for columns of latitude and longitude, but this file has its coordinates in other columns: import without it, or name the columns in a header line',
  )
