import type { SurveyFormat } from '../../table.ts'
import { type LayeredFormat, layerTable } from '../gdal/layer-table.ts'
import { wholeFile } from '../read-whole.ts'

const format: LayeredFormat = { name: 'geopackage', title: 'a GeoPackage', opening: { drivers: ['GPKG'] } }

/** GeoPackage (OGC 12-128r18): SQLite with the application id GPKG at byte 68; before version 1.2, GP10 and GP11. */
export const geopackage: SurveyFormat = {
  name: format.name,
  detects: (_, text) => text.startsWith('SQLite format 3\0') && /^GP(?:KG|10|11)/.test(text.slice(68, 72)),
  read: async (bytes, options) =>
    layerTable(format, new Map([['file.gpkg', await wholeFile(bytes, options.maxBytes)]]), options),
}
