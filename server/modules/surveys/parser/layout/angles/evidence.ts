import { type GridCheck, gridCheckFigures, metresFromGrid } from '../../rows/grid-check.ts'
import type { Pair } from '../axes.ts'
import type { Layout, LayoutContext } from '../layout.ts'
import { cellOf } from '../sample.ts'

/** Maximum distance between grid coordinates and degrees of the same point, whatever their datums. */
const SAME_PLACE_METRES = 500
/** Below this distance, decimal degrees are accepted. */
const RIGHT_METRES = 10

type Whole = { fields: string[]; decimal: Pair; packed: Pair }

/** The evidence for packed angles; `decimal` for decimal degrees, undefined if nothing decides. */
type Verdict = string | undefined

export function byGrid(whole: readonly Whole[], layout: Layout, context: LayoutContext): Verdict {
  const { beside } = layout
  if (!beside) return undefined
  const systems = whole.map(({ fields }) => rowSystem(fields, layout, context) ?? beside.crs)
  const apart = (reading: 'decimal' | 'packed') =>
    middle(whole.flatMap((row, i) => metres(row.fields, row[reading], { ...beside, crs: systems[i] }, layout, context)))
  const [decimal, packed] = [apart('decimal'), apart('packed')]
  if (decimal === undefined && packed === undefined) return undefined
  if (decimal !== undefined && (decimal <= RIGHT_METRES || (packed !== undefined && decimal <= packed)))
    return 'decimal'
  if (packed === undefined || packed > SAME_PLACE_METRES) return undefined
  if (decimal !== undefined && packed * 10 > decimal) return undefined
  const names = `${beside.easting[0]!.name} and ${beside.northing[0]!.name}`
  const off = decimal === undefined ? 'nowhere near as decimal degrees' : `${rounded(decimal)} as decimal degrees`
  return `only then they agree with ${names} in the same row (${rounded(packed)} apart, ${off})`
}

export function byZone(whole: readonly Whole[], { inZone }: LayoutContext): Verdict {
  if (!inZone) return undefined
  const within = (reading: 'decimal' | 'packed') => whole.filter((row) => inZone(row[reading][1], row[reading][0]))
  const [decimal, packed] = [within('decimal').length, within('packed').length]
  if (packed > decimal)
    return packed === whole.length && decimal === 0
      ? 'only then the points are in their zone'
      : `then ${packed} of the first ${whole.length} points are in their zone, as decimal degrees ${decimal}`
  return decimal > 0 && packed < whole.length ? 'decimal' : undefined
}

/** Numbers above 360 are degrees in neither order of the axes; some longitudes count to 360. */
export function byRange(whole: readonly Whole[]): Verdict {
  const degrees = whole.filter(({ decimal }) => decimal.every((value) => Math.abs(value) <= 360)).length
  return degrees * 2 < whole.length ? 'decimal degrees end at 90 and 180' : undefined
}

/** The system that a column names for a row. */
function rowSystem(fields: readonly string[], { columns }: Layout, { table }: LayoutContext) {
  const text = cellOf(fields, columns.crs).trim()
  const found = text === '' ? undefined : table.find(text)
  return typeof found === 'object' && found.kind === 'projected' ? found : undefined
}

/** The distance of a reading from the grid coordinates of its row; tries UTM for a grid without a system. */
function metres(fields: readonly string[], reading: Pair, beside: GridCheck, layout: Layout, context: LayoutContext) {
  const [longitude, latitude] = reading
  const crs = beside.crs ?? utmAt(latitude, longitude, context)
  const figures = crs && gridCheckFigures(fields, beside, layout.decimal, crs.unit)
  const apart = figures && metresFromGrid({ latitude, longitude }, figures, crs)
  // A grid without a known system may be any: only a match is evidence.
  return apart === undefined || (!beside.crs && apart > 100 * SAME_PLACE_METRES) ? [] : [apart]
}

function utmAt(latitude: number, longitude: number, { table }: LayoutContext) {
  if (!(Math.abs(latitude) < 84 && Math.abs(longitude) <= 180)) return undefined
  const zone = Math.min(60, Math.floor((longitude + 180) / 6) + 1)
  const found = table.find(`EPSG:${(latitude < 0 ? 32700 : 32600) + zone}`)
  return typeof found === 'object' ? found : undefined
}

const middle = (values: readonly number[]): number | undefined => values.toSorted((a, b) => a - b)[values.length >> 1]

const rounded = (metres: number): string =>
  metres < 1000 ? `${Math.round(metres)} m` : `${Math.round(metres / 100) / 10} km`
