import { stringify } from 'csv-stringify/sync'
import { guardText } from '../../surveys/parser/rows/text-guard.ts'
import type { Export, PlacedGcp } from '../schema.ts'
import { remarks } from '../text/header-comments.ts'
import { type Field, type FieldValue, fields } from './fields.ts'
import { layerOf, type Piece } from './layer.ts'

/** The additional files of the archive. */
export const README = 'README.txt'
export const NOT_IN_DBF = 'not-in-dbf.csv'
/** The titles that no DBF can hold: they refuse the file. */
export const TITLES = 'titles.txt'

/** Maximum bytes of a text in a DBF. */
const MAX_TEXT = 254
/** Numbers have 24 characters with 15 decimals, as GDAL writes them. */
const MAX_NUMBER = 1e7
/** DBF names have at most 10 characters; an import knows these. */
const names: Record<string, string> = {
  description: 'desc',
  heightDatum: 'hgtDatum',
  heightOperation: 'hgtModel',
  heightAccuracy: 'hgtAccur',
}

const shapeFields: readonly Field[] = fields.map((field) => ({
  ...field,
  name: names[field.name] ?? field.name,
  // A DBF has dates, but no times.
  type: field.type === 'DateTime' ? 'String' : field.type,
}))

/**
 * Points for a Shapefile (ESRI white paper of July 1998). Longer texts and larger numbers than its DBF can hold are left out
 * there and written to a CSV beside it, so that nothing is truncated and an import keeps the stored values.
 */
export async function* shapefileOf(source: Export): AsyncGenerator<Piece> {
  const rest: string[][] = []
  const titles: string[] = []
  const cellOf = (field: Field, gcp: PlacedGcp): FieldValue => {
    const value = field.value(gcp)
    if (isHeld(value)) return value
    if (field.name === 'title') titles.push(String(value).slice(0, 60))
    else rest.push([String(gcp.id), gcp.title, field.name, String(value)].map(guardText))
    return null
  }
  yield { file: README, text: readme(source) }
  let hasRest = false
  for await (const piece of layerOf(source, shapeFields, cellOf)) {
    yield piece
    if (titles.length > 0)
      yield {
        file: TITLES,
        text: titles
          .splice(0)
          .map((title) => `${title}\n`)
          .join(''),
      }
    if (rest.length === 0) continue
    const header = hasRest ? [] : [['id', 'title', 'field', 'value']]
    hasRest = true
    yield { file: NOT_IN_DBF, text: stringify([...header, ...rest.splice(0)], { record_delimiter: 'windows' }) }
  }
}

/** A DBF pads texts with spaces, and so loses trailing ones. */
function isHeld(value: FieldValue): boolean {
  if (typeof value === 'number') return Math.abs(value) < MAX_NUMBER
  return value === null || (Buffer.byteLength(value) <= MAX_TEXT && value === value.replace(/^ +| +$/g, ''))
}

const readme = ({ name, system, operations }: Export): string =>
  [
    `Ground control points of ${name}`,
    `Coordinates: ${system?.name ?? 'EPSG:4326 (WGS84)'}, as points.prj says`,
    ...remarks(system, operations),
    'h: metres above the WGS84 ellipsoid, unless hgtDatum says otherwise; altitude: metres as they were measured.',
    `Texts in points.dbf have ${MAX_TEXT} bytes at most, numbers 15 decimals. What does not fit is left out there and stands in ${NOT_IN_DBF}.`,
    '',
  ].join('\r\n')
