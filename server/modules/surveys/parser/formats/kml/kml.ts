import { type RowError, SurveyFileError } from '../../errors.ts'
import type { FormatOptions, SurveyFormat, SurveyTable } from '../../table.ts'
import { truncate } from '../../truncate.ts'
import type { Feature } from '../features/feature.ts'
import { featureTable, recordsOf } from '../features/feature-table.ts'
import { wholeFile } from '../read-whole.ts'
import type { Entry } from '../zip/archive.ts'
import { type Placemark, placemarksIn } from './placemarks.ts'

/**
 * KML 2.2 and 2.3: WGS84, heights above EGM96 for points with an absolute altitude (OGC 12-007r2, 9.6). Reads all
 * folders as one list.
 */
export const kml: SurveyFormat = {
  name: 'kml',
  detects: (_, text) => /^(?:\xef\xbb\xbf)?\s*</.test(text) && /<(?:\w{1,40}:)?kml[\s>]/.test(text.slice(0, 4096)),
  read: async (bytes, options) => tableOf([await wholeFile(bytes, options.maxBytes)], 'kml', options),
}

/** KMZ (OGC 12-007r2, annex C): doc.kml and the other KML files in the archive that it links to. */
export async function readKmz(entries: readonly Entry[], options: FormatOptions): Promise<SurveyTable> {
  const files = entries.filter(({ name }) => /\.kml$/i.test(name))
  const isMain = ({ name }: Entry) => Number(name.toLowerCase() === 'doc.kml')
  const ordered = files.toSorted((one, other) => isMain(other) - isMain(one))
  return tableOf(
    ordered.map((entry) => entry.unpack()),
    'kmz',
    options,
  )
}

function tableOf(files: readonly Uint8Array[], format: string, { maxColumns }: FormatOptions): SurveyTable {
  function* placemarks(): Generator<Placemark, void> {
    for (const file of files) yield* placemarksIn(file)
  }
  const names = new Set<string>()
  let [count, unread] = [0, 0]
  for (const placemark of placemarks()) {
    count++
    for (const name of placemark.values.keys()) names.add(name)
    if (names.size > maxColumns - 3)
      throw new SurveyFileError('TOO_MANY_COLUMNS', `the placemarks have more than ${maxColumns - 3} kinds of data`)
    if (positionOf(placemark)?.z === undefined && altitudeIn(placemark) !== 0) unread++
  }
  if (count === 0)
    throw new SurveyFileError(
      'EMPTY_FILE',
      'the file has no placemarks: if it only links to another file, upload that one',
    )
  const columns = [...names]
  function* features(): Generator<Feature, void> {
    for (const placemark of placemarks())
      yield {
        kind: placemark.kinds.length > 1 ? 'MultiGeometry' : placemark.kinds[0],
        position: positionOf(placemark),
        fault: faultOf(placemark),
        values: columns.map((name) => placemark.values.get(name)),
        line: placemark.line,
      }
  }
  const systems = { crs: 'EPSG:4326', crsLine: undefined, titles: [] }
  const table = featureTable(
    { names: columns, valuesOf: ({ values }) => values },
    { systems, words: { x: 'lon', y: 'lat', z: 'altitude (EGM96)' } },
    features,
  )
  const isExported = columns.includes('heightDatum')
  return {
    source: { format, delimiter: null, encoding: null, layer: null, layers: [] },
    systems,
    records: recordsOf(table, features),
    notices: () =>
      unread === 0 || isExported
        ? []
        : [
            {
              code: 'HEIGHTS_NOT_READ',
              message: `the altitudes of ${unread} of ${count} placemarks were not read: only those with the altitudeMode absolute are heights above the sea`,
            },
          ],
  }
}

const TUPLE = /^\s*([+-]?[\d.eE+-]{1,40})\s*,\s*([+-]?[\d.eE+-]{1,40})(?:\s*,\s*([+-]?[\d.eE+-]{1,40}))?\s*$/

function tupleOf({ kinds, coordinates }: Placemark): number[] | undefined {
  const found = kinds.length === 1 && kinds[0] === 'Point' && coordinates.length < 1000 ? TUPLE.exec(coordinates) : null
  const figures = found?.slice(1).flatMap((figure) => (figure === undefined ? [] : [Number(figure)]))
  return figures?.every(Number.isFinite) ? figures : undefined
}

/** The error of a point with coordinates that are not two or three decimal numbers. */
function faultOf(placemark: Placemark): RowError | undefined {
  const value = truncate(placemark.coordinates.trim(), 200)
  if (placemark.kinds.join() !== 'Point' || value === '' || tupleOf(placemark)) return undefined
  const message = `coordinates "${truncate(value, 60)}" are not two or three decimal numbers: write longitude, latitude and altitude as in 13.404954,52.5200066,34.2`
  return { column: 'coordinates', value, code: 'NOT_A_NUMBER', message }
}

function positionOf(placemark: Placemark): Feature['position'] {
  const tuple = tupleOf(placemark)
  return tuple && { x: tuple[0]!, y: tuple[1]!, z: placemark.altitudeMode === 'absolute' ? tuple[2] : undefined }
}

const altitudeIn = (placemark: Placemark): number => tupleOf(placemark)?.[2] ?? 0
