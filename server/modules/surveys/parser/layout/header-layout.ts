import type { Crs } from '../../../reference-systems/crs.ts'
import { SurveyFileError } from '../errors.ts'
import { isSpaces } from '../formats/delimited/delimiter.ts'
import { isExport } from '../rows/cairn-export.ts'
import { gridColumnsCheck } from '../rows/grid-check.ts'
import { decimalOf, readGrouped } from '../rows/values/numbers.ts'
import { FOOT } from '../rows/values/units.ts'
import type { SurveyRecord } from '../table.ts'
import { truncate } from '../truncate.ts'
import { areSurelyDegrees } from './angles/degrees.ts'
import { letteredColumns } from './angles/lettered-columns.ts'
import { withAngles } from './angles/packed-angles.ts'
import { areMostlyIn, countAxes, isGeocentric, isProjected, type Pair } from './axes.ts'
import type { Column, Columns, CoordinateKind, Role } from './columns.ts'
import { coordinateKinds } from './columns.ts'
import { withCompanions } from './header/companions.ts'
import { areDimensions } from './header/dimensions.ts'
import { systemInHeader } from './header/header-system.ts'
import { withInnerUnits } from './header/inner-units.ts'
import { withLevel } from './header/levels.ts'
import { orderNotice } from './header/position-order.ts'
import { withTitle } from './header/titles.ts'
import { checkTwins } from './header/twins.ts'
import { unitsRow, withUnits } from './header/units-row.ts'
import { unreadHeights } from './header/unread-heights.ts'
import { headerLine, type Layout, type LayoutContext, systemOf } from './layout.ts'
import { missingCrs } from './missing-crs.ts'
import { pairsWithoutOutliers } from './outliers.ts'
import { cellOf, gridPairs, pairRoles, pairsOf } from './sample.ts'

const MAX_SHOWN_HEADER = 300

/** Detects the layout of a file whose first record is its header. @throws SurveyFileError */
export function headerLayout(named: Columns, records: readonly SurveyRecord[], context: LayoutContext): Layout {
  const header = records[0]!.fields
  const units = context.isTable ? unitsRow(records[1]?.fields, header) : undefined
  const above = units ? 2 : 1
  const rows = records
    .slice(above)
    .map(({ fields }) => fields)
    .filter((fields) => !fields[0]!.startsWith('#') || fields.length === header.length)
  const known = context.isTable ? withLevel(withInnerUnits(named, header), header, rows) : named
  const titled = withTitle(units ? withUnits(known, units) : known, header, rows, context.isTable)
  const { columns, notices } = withCompanions(titled, header, rows, context)
  const sign = decimalOf(rows.flatMap((fields) => numericRoles.map((role) => cellOf(fields, columns[role]))))
  const present = coordinateKinds(columns)
  const filled = (kind: CoordinateKind) =>
    rows.some((fields) => pairRoles[kind].every((role) => cellOf(fields, columns[role]).trim() !== ''))
  const kind = present.find(filled) ?? present[0]!
  const pair = pairRoles[kind].flatMap((role) => columns[role] ?? [])
  const pairs = pairsOf(rows, columns, pairRoles[kind], sign)
  const areDegrees = kind === 'geodetic' || pairs.every(([x, y]) => Math.abs(x) <= 360 && Math.abs(y) <= 360)
  const explicit = pair.find((c) => c.system)?.system
  const inHeader = explicit ?? systemInHeader(pair, areDegrees, context.table)
  const isOnly = pair.every(({ system }) => system === undefined || system === explicit)
  // Beside latitudes and longitudes, a projected system of the request is that of grid coordinates.
  const isFirst =
    context.isUnnamed &&
    (kind === 'grid' || kind === 'plane') &&
    inHeader !== undefined &&
    (explicit === undefined
      ? areIn(pairs, context.table.find(inHeader))
      : isOnly && isProjected(context.table.find(inHeader)))
  const text = isFirst ? inHeader : (context.crsText ?? inHeader)
  const crs = text ? systemOf(text, context.table) : undefined
  const other = inHeader && context.crsText ? context.table.find(inHeader) : undefined
  const base: Base = {
    layout: {
      columns,
      decimal: sign,
      width: trimmedWidth(header),
      headed: header.length,
      lastTakesRest: isSpaces(context.delimiter) && isTextAt(columns, header.length - 1),
      above,
      header: true,
      headers: header,
      perPhoto: columns.photoPosition !== undefined,
      swapped: false,
      heightDatum: context.heightDatum,
      notices: [...notices, ...unreadHeights(columns, header, rows, sign, context.isTable)],
    },
    rows,
    crs,
    own: typeof other === 'object' ? other : undefined,
    context,
    header,
  }
  const found = settled(base, kind)
  const layout = { ...found, notices: [...found.notices, ...checkTwins(found, rows, header, context)] }
  const beside = layout.kind === 'geodetic' ? gridColumnsCheck(columns, crs, context.table) : undefined
  const read = withAngles(beside ? { ...layout, beside } : layout, rows, context)
  if (areDimensions(read, rows, header, context)) return withoutAngles(named, records, context)
  return checked(read, base)
}

const areIn = (pairs: readonly Pair[], crs: Crs | string): boolean =>
  typeof crs === 'object' && areMostlyIn(pairs, crs, undefined)

/** The layout by the grid alone, beside columns with the words of angles. */
function withoutAngles(named: Columns, records: readonly SurveyRecord[], context: LayoutContext): Layout {
  const { latitude, longitude, ...grid } = named
  const layout = headerLayout(grid, records, context)
  const names = [latitude, longitude].map((all) => `"${truncate(all?.[0]?.name ?? '', 60)}"`).join(' and ')
  const message = `${names} were not read: they are no latitude and longitude of the points, but may be a width and a length`
  return { ...layout, notices: [...layout.notices, { code: 'COLUMNS_ASSUMED', message }] }
}

/** Whether the values of a column are texts: it has no meaning, or describes its point. */
const isTextAt = (columns: Columns, at: number): boolean =>
  Object.entries(columns).every(([role, list]) => role === 'description' || list.every(({ index }) => index !== at))

type Base = {
  layout: Omit<Layout, 'kind' | 'crs'>
  rows: readonly string[][]
  crs: Crs | undefined
  /** The system in the headers of the pair, if another is named for the file. */
  own: Crs | undefined
  context: LayoutContext
  header: readonly string[]
}

/** The meaning of a pair of columns, by the file's system and the size of its numbers. */
function settled({ layout, rows, crs, own, context }: Base, kind: CoordinateKind): Layout {
  const { columns } = layout
  const pairs = pairsOf(rows, columns, pairRoles[kind], layout.decimal)
  const degrees = pairs.every(([x, y]) => Math.abs(x) <= 180 && Math.abs(y) <= 180)
  if (kind === 'position') {
    const notices = crs || context.inZone ? [] : orderNotice(columns, rows)
    return {
      ...layout,
      kind,
      crs: crs?.kind === 'geocentric' ? undefined : crs,
      notices: [...layout.notices, ...notices],
    }
  }
  if (kind === 'geodetic') {
    // Metashape also writes X/Longitude and Y/Latitude above projected coordinates.
    const hasGrid = gridColumnsCheck(columns, crs, context.table) !== undefined
    if (crs?.kind === 'projected' && !degrees && !hasGrid && !context.angles)
      return asGrid(layout, 'longitude', 'latitude', crs)
    const lettered = letteredColumns(columns, rows, layout.decimal)
    // Beside a grid, latitude and longitude may have their own datum.
    const geographic = [crs, own].find((system) => system?.kind === 'geographic')
    return { ...layout, kind, crs: geographic, lettered }
  }
  const [east, north] = pairRoles[kind]
  const heights = rows.map((fields) => readGrouped(cellOf(fields, columns.z), layout.decimal))
  const unnamed = !crs && !columns.crs
  if (
    crs?.kind === 'geocentric' ||
    (unnamed && kind === 'plane' && isGeocentric(pairs.map((p, i) => [...p, heights[i]])))
  )
    return { ...layout, kind: 'geocentric', crs: crs ?? systemOf('EPSG:4978', context.table) }
  const metres = pairs.length > 0 && pairs.every(([x, y]) => Math.max(Math.abs(x), Math.abs(y)) > 360)
  if (metres && crs?.kind === 'geographic') throw missingCrs(pairs, context, crs)
  if (!unnamed) return asGrid(layout, east, north, crs)
  if (rows.length === 0) throw new SurveyFileError('EMPTY_FILE', 'the file has a header line but no rows')
  // Small values may be local metres, above all under the words easting and northing.
  // Without a zone as evidence, an outlier means that the values are not degrees.
  const usual = context.inZone ? pairsWithoutOutliers(pairs) : pairs
  const lat = (i: 0 | 1) => usual.every((pair) => Math.abs(pair[i]) <= 90)
  const cells = rows.flatMap((fields) => [cellOf(fields, columns[east]), cellOf(fields, columns[north])])
  const sure = areSurelyDegrees(
    usual,
    cells.filter((cell) => cell.trim() !== ''),
    context.inZone,
  )
  if (!(lat(0) || lat(1)) || !sure) throw missingCrs(usual, context)
  const [eastName, northName] = [columns[east]![0]!.name, columns[north]![0]!.name]
  const message = `${eastName} and ${northName} were read as longitude and latitude in degrees: if they are latitude and longitude, import with header= and the words lat and lon`
  return {
    ...layout,
    ...(kind === 'grid' && { notices: [...layout.notices, { code: 'COLUMNS_ASSUMED' as const, message }] }),
    kind: 'geodetic',
    columns: { ...columns, longitude: columns[east]!, latitude: columns[north]! },
    crs: undefined,
  }
}

/** `(ft)` above coordinates of a system in US survey feet means those: the other foot would be metres off. */
const inFeetOf = (crs: Crs | undefined, columns: Column[]): Column[] =>
  columns.map((column) =>
    column.unit === FOOT && crs?.kind === 'projected' && Math.abs(crs.unit / FOOT - 1) < 1e-4 && !column.isInternational
      ? { ...column, unit: crs.unit }
      : column,
  )

const asGrid = (layout: Base['layout'], east: Role, north: Role, crs: Crs | undefined): Layout => {
  const { h, ...columns }: Columns = layout.columns
  const [eastings, northings] = [inFeetOf(crs, columns[east as 'x']!), inFeetOf(crs, columns[north as 'y']!)]
  // Beside grid coordinates, a plain H is a height of unknown datum, except in exports of this service.
  const bare = (isExport(layout.columns) ? undefined : h)?.filter(({ word }) => word === 'h') ?? []
  const rest = h?.filter((column) => !bare.includes(column)) ?? []
  return {
    ...layout,
    kind: 'grid',
    columns: {
      ...columns,
      ...(east === 'x' && { x: eastings, y: northings }),
      easting: eastings,
      northing: northings,
      ...(rest.length > 0 && { h: rest }),
      ...(bare.length > 0 && { z: [...(columns.z ?? []), ...bare] }),
    },
    crs,
  }
}

/** Whether all rows have swapped axes: plain x and y are then exchanged, named axes are an error of the header. */
function checked(layout: Layout, { rows, context, header }: Base): Layout {
  const { notices } = layout
  const pairs = layout.kind === 'grid' || layout.kind === 'geodetic' ? gridPairs(layout, rows) : []
  if (layout.kind === 'grid' && !layout.crs) return { ...layout, notices }
  // Exports of this service are correct.
  if (isExport(layout.columns)) return { ...layout, notices }
  const { asIs, swapped, of } = countAxes(pairs, layout.crs, context.inZone)
  if (isJapanese(layout) && of > 0 && swapped === of) {
    const { easting, northing } = layout.columns
    return { ...layout, columns: { ...layout.columns, easting: northing!, northing: easting! }, notices }
  }
  if (
    layout.kind === 'grid' &&
    layout.crs?.northingIsX &&
    isBareAxes(layout.columns) &&
    of > 0 &&
    asIs === of &&
    swapped === of
  )
    throw eitherAxes(layout.columns, header, layout.crs, context)
  // Plain x and y are exchanged if not all rows fit as written: those that do would be far from the others.
  const isPlain = layout.kind === 'grid' && isBareAxes(layout.columns) && asIs < of
  if (swapped < of || (!isPlain && (of < 2 || asIs > 0))) return { ...layout, notices }
  const [east, north] =
    layout.kind === 'grid'
      ? ([layout.columns.easting!, layout.columns.northing!] as const)
      : ([layout.columns.longitude!, layout.columns.latitude!] as const)
  if (layout.kind === 'grid' && isBareAxes(layout.columns)) {
    const message = `${east[0]!.name} was read as the northing and ${north[0]!.name} as the easting: only then all points are in ${context.inZone ? 'their zone' : `the area of ${layout.crs?.name}`}`
    const columns = { ...layout.columns, easting: north, northing: east }
    return { ...layout, columns, notices: [...notices, { code: 'AXES_ASSUMED', message }] }
  }
  const fix = context.isTable
    ? headerFix(header, east[0]!, north[0]!, context)
    : 'import with swapAxes=true, or write the longitude or easting first'
  const message = `all sampled rows have swapped axes: ${fix}`
  return { ...layout, swapped: true, notices: [...notices, { code: 'AXES_SWAPPED', message }] }
}

/** X and Y of a system in which surveyors and programs use opposite meanings. */
function eitherAxes({ easting, northing }: Columns, header: readonly string[], crs: Crs, { delimiter }: LayoutContext) {
  const [x, y] = [easting![0]!, northing![0]!]
  const words = header.map((cell) => truncate(cell.trim(), 60))
  const line = (first: string, second: string) =>
    headerLine(words.with(x.index, first).with(y.index, second), delimiter)
  return new SurveyFileError(
    'AMBIGUOUS_COLUMNS',
    `${x.name} can be the northing, as surveyors use it in ${crs.name}, or the easting, as most programs do: write ${line('northing', 'easting')} or ${line('easting', 'northing')} as the header line`,
  )
}

/** In Japanese words, X is the northing, as in the plane rectangular systems. */
const isJapanese = ({ kind, crs, columns }: Layout): boolean =>
  kind === 'grid' && crs?.northingIsX === true && isBareAxes(columns) && columns.x![0]!.name.includes('座標')

const isBareAxes = ({ easting, x }: Columns) => easting !== undefined && easting === x

function headerFix(header: readonly string[], east: Column, north: Column, { delimiter }: LayoutContext): string {
  const words = header.map((cell) => truncate(cell.trim(), 60))
  ;[words[east.index], words[north.index]] = [words[north.index]!, words[east.index]!]
  const line = headerLine(words, delimiter)
  return line.length > MAX_SHOWN_HEADER
    ? `exchange the words ${east.name} and ${north.name} in the header line`
    : `write ${line} as the header line`
}

const numericRoles = ['latitude', 'longitude', 'northing', 'easting', 'x', 'y', 'h', 'altitude', 'z'] as const

function trimmedWidth(fields: readonly string[]): number {
  let width = fields.length
  while (width > 0 && fields[width - 1]!.trim() === '') width--
  return width
}
