import type { Crs } from '../../../reference-systems/crs.ts'
import { SurveyFileError } from '../errors.ts'
import { type Decimal, decimalOf, readGrouped, readNumber } from '../rows/values/numbers.ts'
import type { SurveyRecord } from '../table.ts'
import { areSurelyDegrees } from './angles/degrees.ts'
import { packedFormOf, readPacked } from './angles/packed.ts'
import { withAngles } from './angles/packed-angles.ts'
import { countAxes, isGeocentric, northingFirst, type Pair } from './axes.ts'
import type { Columns } from './columns.ts'
import { contradictingDegrees, isSecondPair } from './headerless/second-pair.ts'
import { type Shape, shapesOf } from './headerless/shapes.ts'
import { column, type Layout, type LayoutContext, placeOfHeader, systemOf } from './layout.ts'
import { missingCrs } from './missing-crs.ts'
import { pairsWithoutOutliers } from './outliers.ts'
import { fitsHeader, provenLines } from './proposals.ts'

/**
 * Detects the layout of files without a header by shape: `x y z px py photo [title]` of OpenDroneMap;
 * `title, c1, c2 [, z [, accuracyH, accuracyV]]` of Pix4D; `title, c1, c2, z, text …` and `title, text, c1, c2, z` of
 * controllers; `c1, c2, z [, title]`. Only the area of the system or the zone can tell the order of c1 and c2:
 * otherwise the file is refused with the possible header lines. @throws SurveyFileError
 */
export function headerlessLayout(records: readonly SurveyRecord[], context: LayoutContext): Layout {
  const rows = records.map(({ fields }) => fields).filter((fields) => !fields[0]!.startsWith('#'))
  const decimal = decimalOf(rows.flat())
  const crs = context.crsText ? systemOf(context.crsText, context.table) : undefined
  const base = {
    decimal,
    above: 0,
    header: false,
    lastTakesRest: false,
    perPhoto: false,
    crs,
    swapped: false,
    heightDatum: context.heightDatum,
    notices: [],
  }
  const gaps = crs !== undefined && !',，;|'.includes(context.delimiter)
  const list = [0, 1].find((from) => isPhotoList(rows, from, gaps, decimal))
  if (list !== undefined) return photoList(rows, list, base, context)

  const width = modalWidth(rows)
  const whole = rows.filter(
    (fields) => fields.length >= width && fields.slice(width).every((field) => field.trim() === ''),
  )
  const isProven = crs !== undefined || context.inZone !== undefined
  const shapes = shapesOf(whole, width, decimal, { crs, isProven })
  if (shapes.length === 0) throw unshaped(records[0]!, width, context)
  // Evidence for degrees besides their size: without it, an outlier means that the values are not degrees.
  const usual = (pairs: readonly Pair[]) => (isProven ? pairsWithoutOutliers(pairs) : pairs)
  const form = context.angles === 'dms-packed' ? formAt(whole, shapes[0]!.first, decimal) : undefined
  const read = form ? (cell: string) => readPacked(cell, form, decimal)?.degrees : undefined
  const likeliest = usual(pairsOf(whole, shapes[0]!.first, decimal, read))
  const metres = likeliest.every(([a, b]) => Math.max(Math.abs(a), Math.abs(b)) > 360)
  if (metres && crs?.kind === 'geographic') throw missingCrs(likeliest, context, crs)
  for (const shape of shapes) {
    const all = pairsOf(whole, shape.first, decimal, read)
    const pairs = usual(all)
    const heights = shape.rest.z?.[0]
    const triples = all.map((pair, i) => [...pair, heights && readGrouped(whole[i]![heights.index]!, decimal)])
    if (crs?.kind === 'geocentric' || (!crs && isGeocentric(triples))) {
      const columns = { ...titled(shape), x: column(shape.first), y: column(shape.first + 1) }
      return { ...base, kind: 'geocentric', columns, width, crs: crs ?? systemOf('EPSG:4978', context.table) }
    }
    const degrees = form !== undefined || (!crs && areSurelyDegrees(pairs, cellsAt(whole, shape.first), context.inZone))
    if (!crs && !degrees) continue
    if (degrees && (allWhole(pairs) || (width === 5 && shape.rest.accuracyH)))
      throw ambiguous({ shape, width, degrees: true, isCutApart: allWhole(pairs) }, whole, context)
    const north = northingFirst(countAxes(pairs, crs, context.inZone))
    if (north === undefined) continue
    const [n, e] = north ? [shape.first, shape.first + 1] : [shape.first + 1, shape.first]
    const columns = titled(shape)
    const notices = secondPair(whole, shape, { ...context, decimal, crs })
    // A text at the end may have blanks.
    const text = shape.rest.description?.[0]?.index ?? -1
    const isEnd = text > shape.first && text >= Math.max(...Object.values(shape.rest).map(([at]) => at!.index))
    const lastTakesRest = context.delimiter === 'whitespace' && isEnd
    const rowWidth = lastTakesRest ? text + 1 : width
    return degrees
      ? withAngles(
          {
            ...base,
            notices,
            lastTakesRest,
            kind: 'geodetic',
            columns: { ...columns, latitude: column(n), longitude: column(e) },
            width: rowWidth,
          },
          whole,
          context,
        )
      : {
          ...base,
          notices,
          lastTakesRest,
          kind: 'grid',
          columns: { ...columns, northing: column(n), easting: column(e) },
          width: rowWidth,
        }
  }
  const degrees = crs?.kind === 'geographic' || likeliest.every(([a, b]) => Math.max(Math.abs(a), Math.abs(b)) <= 180)
  if (!crs && !degrees) throw missingCrs(likeliest, context)
  if (crs && crs.kind === 'projected') {
    const { asIs, swapped, of } = countAxes(likeliest, crs, undefined)
    if (of > 0 && asIs + swapped === 0) throw outside(likeliest[0]!, crs)
  }
  const sure = crs !== undefined || areSurelyDegrees(likeliest, cellsAt(whole, shapes[0]!.first), context.inZone)
  const isCutApart = degrees && !crs && allWhole(likeliest)
  throw ambiguous({ shape: shapes[0]!, width, degrees, sure, isCutApart }, whole, context)
}

/**
 * The notice for a second pair of coordinates in place of a height.
 * @throws SurveyFileError AMBIGUOUS_COLUMNS with both readings if degrees contradict the grid beside them
 */
function secondPair(
  rows: readonly string[][],
  { first, rest }: Shape,
  { decimal, crs, ...context }: LayoutContext & { decimal: Decimal; crs: Crs | undefined },
): Layout['notices'] {
  const names = (at: number) => `columns ${at + 1} and ${at + 2}`
  for (const at of [first + 2, first + 3]) {
    const other = contradictingDegrees(rows, first, at, decimal, crs)
    if (!other) continue
    const [written, transformed] = [other.written, other.transformed.map((value) => value.toFixed(5))].map((pair) =>
      pair.join(' and '),
    )
    throw new SurveyFileError(
      'AMBIGUOUS_COLUMNS',
      `${names(first)} are ${transformed} degrees in ${crs!.name}, but ${names(at)} can be the degrees ${written}, which are in another place: check the reference system, or put a line ${placeOfHeader(context)} that names every column, such as title, easting, northing, h`,
    )
  }
  if (!isSecondPair(rows, first, first + 2, decimal, crs)) return []
  const z = rest.z?.[0]
  const mend = z ? `heights were read from column ${z.index + 1}` : 'name every column in a header line if they are'
  const message = `${names(first + 2)} are the positions of ${names(first)} in another system, and were not read as a height and its accuracy: ${mend}`
  return [{ code: 'HEIGHTS_NOT_READ', message }]
}

type Base = Omit<Layout, 'kind' | 'columns' | 'width'>

const titled = ({ title, rest }: Shape): Columns => ({ ...(title !== undefined && { title: column(title) }), ...rest })

const pairsOf = (
  rows: readonly string[][],
  first: number,
  decimal: Decimal,
  read = (cell: string) => readGrouped(cell, decimal),
): Pair[] =>
  rows.map((fields) => [read(fields[first] ?? '') ?? Number.NaN, read(fields[first + 1] ?? '') ?? Number.NaN])

/** The packed form of angles in two columns, by the size of the numbers; large ones may be either. */
function formAt(rows: readonly string[][], first: number, decimal: Decimal) {
  const pairs = pairsOf(rows, first, decimal)
  return packedFormOf(
    pairs.map(([a, b]) => Math.min(Math.abs(a), Math.abs(b))),
    pairs.map(([a, b]) => Math.max(Math.abs(a), Math.abs(b))),
  )
}

const cellsAt = (rows: readonly string[][], first: number): string[] =>
  rows.flatMap((fields) => [fields[first] ?? '', fields[first + 1] ?? ''])

/**
 * `from` is the index of the first number, after an optional title. `gaps`: the file names its system and separates
 * fields by spaces; otherwise only image names decide.
 */
function isPhotoList(rows: readonly string[][], from: number, gaps: boolean, decimal: Decimal): boolean {
  const number = (cell: string) => readNumber(cell, decimal) !== undefined
  return (
    rows.length > 0 &&
    rows.every(
      (fields) =>
        fields.length >= from + 6 &&
        [0, 1, 3, 4].every((at) => number(fields[from + at]!)) &&
        !number(fields[from + 5]!) &&
        (gaps || /\.(?:jpe?g|tiff?|png|dng|raw|heic)$/i.test(fields[from + 5]!.trim())),
    )
  )
}

function photoList(rows: readonly string[][], from: number, base: Base, context: LayoutContext): Layout {
  const pairs = pairsOf(rows, from, base.decimal)
  if (!base.crs && !areSurelyDegrees(pairs, cellsAt(rows, from), context.inZone)) throw missingCrs(pairs, context)
  const columns: Columns = {
    easting: column(from),
    northing: column(from + 1),
    z: column(from + 2),
    title: column(from === 0 ? 6 : 0),
  }
  const crs = base.crs ?? systemOf('EPSG:4326', context.table)
  const { asIs, swapped, of } = countAxes(pairs, crs, context.inZone)
  const layout: Layout = { ...base, kind: 'grid', crs, columns, width: null, perPhoto: true }
  if (of < 2 || asIs > 0 || swapped < of) return layout
  const message = `all sampled rows have swapped axes: gcp_list.txt has ${crs.kind === 'geographic' ? 'longitude before latitude' : 'easting before northing'}, exchange the first two columns`
  return { ...layout, swapped: true, notices: [...base.notices, { code: 'AXES_SWAPPED', message }] }
}

/** Degrees without any fraction are more likely numbers split at decimal commas than surveyed points. */
const allWhole = (pairs: readonly Pair[]) => pairs.every(([a, b]) => Number.isInteger(a) && Number.isInteger(b))

function modalWidth(rows: readonly string[][]): number {
  const counts = new Map<number, number>()
  for (const fields of rows) {
    const width = fields.findLastIndex((field) => field.trim() !== '') + 1
    counts.set(width, (counts.get(width) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}

const unshaped = ({ line }: SurveyRecord, width: number, context: LayoutContext) =>
  new SurveyFileError(
    'AMBIGUOUS_COLUMNS',
    `the file has no header line that names its columns, and its ${width} columns have no known order: put a line ${placeOfHeader(context)} that names them all, with such words as title, lat, lon, h, or title, easting, northing, h`,
    line,
  )

const outside = ([first, second]: Pair, { name }: Crs) =>
  new SurveyFileError(
    'UNKNOWN_CRS',
    `${first} and ${second} are outside the area of ${name} in either axis order: check the reference system, and that the coordinates are in its unit${/^EPSG:327/.test(name) ? `; if the S of the zone is its band of latitude and not the south, name ${name.replace('EPSG:327', 'EPSG:326')}` : ''}`,
  )

/** The header words that a shape allows, in both axis orders. */
function wordsOf({ title, first, rest }: Shape, width: number, degrees: boolean): string[][] {
  const words = Array.from({ length: width }, (_, i) => `column${i + 1}`)
  if (title !== undefined) words[title] = 'title'
  for (const [role, [at]] of Object.entries(rest)) words[at!.index] = role
  const [north, east] = degrees ? (['lat', 'lon'] as const) : (['northing', 'easting'] as const)
  return [words.with(first, north).with(first + 1, east), words.with(first, east).with(first + 1, north)]
}

/**
 * Candidate header lines for rows without one, likeliest first, with as many words as the rows have fields. Try them
 * before proposing them.
 */
export function possibleWords(records: readonly SurveyRecord[]): string[][] {
  const rows = records.map(({ fields }) => fields).filter((fields) => !fields[0]!.startsWith('#'))
  const decimal = decimalOf(rows.flat())
  const width = modalWidth(rows)
  const whole = rows.filter((fields) => fields.length >= width)
  return shapesOf(whole, width, decimal, { isProven: false }).flatMap((shape) => {
    const pairs = pairsWithoutOutliers(pairsOf(whole, shape.first, decimal))
    const degrees = pairs.every(([a, b]) => Math.abs(a) <= 180 && Math.abs(b) <= 180)
    return wordsOf(shape, width, degrees)
  })
}

type Doubt = { shape: Shape; width: number; degrees: boolean; sure?: boolean; isCutApart?: boolean }

/** Names the header lines that decide the order, of those that fit the rows. */
function ambiguous(
  { shape, width, degrees, sure = true, isCutApart = false }: Doubt,
  rows: readonly string[][],
  context: LayoutContext,
) {
  const records = rows.map((fields) => ({ fields: [...fields], line: 0 }))
  const candidates = wordsOf(shape, width, degrees)
  const lines = isCutApart ? [] : provenLines(candidates, records, context)
  const metres = sure ? '' : ', or if the figures are metres, a line that names their system, such as EPSG:25833'
  if (lines.length > 0)
    return new SurveyFileError(
      'AMBIGUOUS_COLUMNS',
      `the file has no header line that names its columns, and they can be read in more than one way: put the line ${lines.join(' or ')} ${placeOfHeader(context)}${metres}; or import the file with such a line as header=`,
    )
  if (degrees && candidates.some((words) => fitsHeader(words, records, { ...context, angles: 'dms-packed' })))
    return new SurveyFileError(
      'AMBIGUOUS_ANGLES',
      `the figures in columns ${shape.first + 1} and ${shape.first + 2} are in the zone only as packed degrees, minutes and seconds: import with angles=dms-packed`,
    )
  const why = isCutApart
    ? 'its numbers look like decimals split at their commas, or like degrees, minutes and seconds in separate columns: write decimals with a point or separate the fields by semicolons, or name every column'
    : `columns ${shape.first + 1} and ${shape.first + 2} ${context.inZone ? 'are not in the zone' : 'are not coordinates'} in either order: name every column in a header line, and check the zone and the reference system; every column has a word`
  return new SurveyFileError(
    'AMBIGUOUS_COLUMNS',
    `the file has no header line that names its columns, and ${why}, such as title, lat, lon, h, or title, lat_d, lat_m, lat_s, lon_d, lon_m, lon_s${metres}`,
  )
}
