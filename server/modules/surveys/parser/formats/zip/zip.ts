import { SurveyFileError } from '../../errors.ts'
import type { FormatOptions, SurveyFormat, SurveyTable } from '../../table.ts'
import { truncate } from '../../truncate.ts'
import { readKmz } from '../kml/kml.ts'
import { wholeFile } from '../read-whole.ts'
import { readShapefiles } from '../shapefile/shapefile.ts'
import { MAPINFO, SHAPEFILE } from '../unreadable/unreadable.ts'
import { readWorkbook } from '../workbook/workbook.ts'
import { type Entry, entriesOf } from './archive.ts'

/** A format inside a ZIP, detected by the file names in it. */
type Packed = {
  detects: (names: readonly string[]) => boolean
  read: (entries: readonly Entry[], zip: Buffer, options: FormatOptions) => Promise<SurveyTable>
}

const has = (names: readonly string[], pattern: RegExp) => names.some((name) => pattern.test(name))

const kinds: Packed[] = [
  {
    detects: (names) => has(names, /^xl\/workbook\.xml$/i),
    read: (entries, zip, options) => readWorkbook('xlsx', zip, entries, options),
  },
  {
    detects: (names) => has(names, /^mimetype$/) && has(names, /^content\.xml$/),
    read: (entries, zip, options) => readWorkbook('ods', zip, entries, options),
  },
  { detects: (names) => has(names, /\.shp$/i), read: (entries, _, options) => readShapefiles(entries, options) },
  { detects: (names) => has(names, /\.kml$/i), read: (entries, _, options) => readKmz(entries, options) },
]

/** XLSX, ODS, KMZ and Shapefiles, which are all ZIP files. */
export const zip: SurveyFormat = {
  name: 'zip',
  detects: (head) => head.length > 4 && head.readUInt32LE(0) === 0x04034b50,
  async read(bytes, options) {
    const file = await wholeFile(bytes, options.maxBytes)
    const entries = entriesOf(file)
    const names = entries.map(({ name }) => name)
    const kind = kinds.find(({ detects }) => detects(names))
    if (kind) return kind.read(entries, file, options)
    if (has(names, /\.mif$/i) || (has(names, /\.tab$/i) && has(names, /\.(?:map|dat)$/i)))
      throw new SurveyFileError('NOT_A_TABLE', `the ZIP file has a MapInfo table: ${MAPINFO}`)
    const lone = names.find((name) => /\.(?:shx|dbf|prj)$/i.test(name))
    if (lone)
      throw new SurveyFileError(
        'NOT_A_TABLE',
        `the ZIP file has "${truncate(lone, 60)}" of a Shapefile, but no .shp, which has the positions: ${SHAPEFILE}`,
      )
    const shown = names.slice(0, 3).map((name) => truncate(name, 60))
    throw new SurveyFileError(
      'NOT_A_TABLE',
      `the ZIP file has no workbook, Shapefile or KML, but has ${shown.join(', ') || 'nothing'}${names.length > 3 ? ' and others' : ''}: upload a file inside it that is a table, or export the points as GeoPackage or CSV`,
    )
  },
}
