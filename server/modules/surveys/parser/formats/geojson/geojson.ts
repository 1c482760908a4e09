import { crsTextOf } from '../../../../reference-systems/crs-text.ts'
import { SurveyFileError } from '../../errors.ts'
import { columnsOf } from '../../layout/columns.ts'
import type { FormatOptions, NamedSystems, SurveyFormat, SurveyTable } from '../../table.ts'
import type { Feature } from '../features/feature.ts'
import { featureTable, recordsOf } from '../features/feature-table.ts'
import { wholeFile } from '../read-whole.ts'
import { featuresIn, type Members } from './features-in.ts'
import { type Parsed, parseFeature } from './parse-feature.ts'

/**
 * GeoJSON: a collection, a feature, a geometry, or a sequence of features. Degrees on WGS84 with ellipsoidal heights
 * (RFC 7946) unless a `crs` member names another system, as in the specification of 2008.
 */
export const geojson: SurveyFormat = {
  name: 'geojson',
  detects: (_, text) =>
    /^(?:\xef\xbb\xbf)?\s*\{/.test(text.slice(0, 100).replaceAll('\x1e', ' ')) &&
    /"type"\s{0,9}:\s{0,9}"(?:FeatureCollection|Feature|(?:Multi)?Point|(?:Multi)?LineString|(?:Multi)?Polygon|GeometryCollection)"/.test(
      text,
    ),
  read: async (bytes, options) => tableOf(await wholeFile(bytes, options.maxBytes), options),
}

function tableOf(file: Buffer, { maxColumns, crs }: FormatOptions): SurveyTable {
  const names = new Set<string>()
  const members: Members = { crs: undefined }
  let [count, hasIds, degrees, others] = [0, false, 0, 0]
  for (const { properties, position, id } of parsedIn(file, members)) {
    count++
    if (id !== undefined) hasIds = true
    if (position && Number.isFinite(position.x + position.y))
      Math.abs(position.x) <= 360 && Math.abs(position.y) <= 360 ? degrees++ : others++
    for (const name of properties.keys()) names.add(name)
    if (names.size > maxColumns - 3)
      throw new SurveyFileError('TOO_MANY_COLUMNS', `the features have more than ${maxColumns - 3} kinds of properties`)
  }
  if (count === 0) throw new SurveyFileError('EMPTY_FILE', 'the file has no features')
  const named = systemNamedIn(file, members)
  // Without a system, a few positions that are no degrees are errors of their rows.
  const inDegrees = named || crs ? others === 0 : others * 4 <= degrees || (others === 1 && degrees > 1)
  const columns = [...names]
  const withIds = hasIds && !columnsOf(columns).title
  function* features(): Generator<Feature, void> {
    for (const { kind, position, fault, properties, id, line } of parsedIn(file, members)) {
      const values = columns.map((name) => properties.get(name))
      yield { kind, position, fault, values: withIds ? [id, ...values] : values, line }
    }
  }
  // Metres without a system are refused later, with an explanation.
  const systems: NamedSystems = { crs: named ?? (inDegrees ? 'EPSG:4326' : undefined), crsLine: undefined, titles: [] }
  const table = featureTable(
    { names: withIds ? ['id', ...columns] : columns, valuesOf: ({ values }) => values },
    {
      systems,
      words: {
        ...(inDegrees ? { x: 'lon', y: 'lat' } : { x: 'easting', y: 'northing' }),
        z: named || !inDegrees ? 'z' : 'h',
      },
    },
    features,
  )
  return {
    source: { format: 'geojson', delimiter: null, encoding: null, layer: null, layers: [] },
    systems,
    records: recordsOf(table, features),
  }
}

function* parsedIn(file: Buffer, members: Members): Generator<Parsed & { line: number }, void> {
  for (const span of featuresIn(file, members)) yield { ...parseFeature(file, span), line: span.line }
}

const MAX_CRS = 16 * 1024

/** The system of the `crs` member (GeoJSON 2008, section 3), as a code if possible. */
function systemNamedIn(file: Buffer, { crs }: Members): string | undefined {
  if (!crs || crs.end - crs.start > MAX_CRS) return undefined
  try {
    const { type, properties } = JSON.parse(file.toString('utf8', crs.start, crs.end)) ?? {}
    // Drafts before 2008, which GDAL reads too, have a type EPSG and a code.
    const name: unknown = type === 'EPSG' ? `EPSG:${properties?.code}` : properties?.name
    return typeof name === 'string' && name !== '' ? (crsTextOf(name) ?? name) : undefined
  } catch {
    return undefined
  }
}
