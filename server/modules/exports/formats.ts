import { fields } from './files/fields.ts'
import { layerOf, type Piece } from './files/layer.ts'
import { shapefileOf } from './files/shapefile.ts'
import type { FileForm } from './process/export-tasks.ts'
import type { Export, ExportFormat } from './schema.ts'
import { csvOf } from './text/csv.ts'
import { dxfOf } from './text/dxf.ts'
import { gcpListOf } from './text/gcp-list.ts'
import { geojsonOf } from './text/geojson.ts'
import { gpxOf } from './text/gpx.ts'
import { kmlOf } from './text/kml.ts'
import { opensfmOf } from './text/opensfm.ts'
import { pnezdOf } from './text/pnezd.ts'
import { xlsxOf } from './text/xlsx.ts'

/** An export format. */
export type Format = {
  /** Its media type. */
  type: string
  /** The file extension. */
  ending: string
  /** The reference systems that it supports: WGS84 only, any, any with a code, or projected ones only. */
  systems: 'wgs84' | 'any' | 'coded' | 'projected'
  /** Whether it cannot hold points without coordinates. */
  leavesOut?: boolean
} & (
  | { write: (source: Export) => AsyncIterable<string | Uint8Array> }
  | { file: FileForm; pieces: (source: Export) => AsyncIterable<Piece> }
)

export const formats: Record<ExportFormat, Format> = {
  csv: { type: 'text/csv; charset=utf-8', ending: '.csv', systems: 'any', write: csvOf },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ending: '.xlsx',
    systems: 'any',
    write: xlsxOf,
  },
  geojson: { type: 'application/geo+json', ending: '.geojson', systems: 'coded', write: geojsonOf },
  gpkg: {
    type: 'application/geopackage+sqlite3',
    ending: '.gpkg',
    systems: 'any',
    file: 'gpkg',
    pieces: (source) => layerOf(source, fields),
  },
  shp: { type: 'application/zip', ending: '.shp.zip', systems: 'any', file: 'shp', pieces: shapefileOf },
  kml: { type: 'application/vnd.google-earth.kml+xml', ending: '.kml', systems: 'wgs84', write: kmlOf },
  gpx: { type: 'application/gpx+xml', ending: '.gpx', systems: 'wgs84', leavesOut: true, write: gpxOf },
  dxf: { type: 'image/vnd.dxf', ending: '.dxf', systems: 'projected', leavesOut: true, write: dxfOf },
  pnezd: {
    type: 'text/plain; charset=utf-8',
    ending: ' pnezd.txt',
    systems: 'projected',
    leavesOut: true,
    write: pnezdOf,
  },
  gcp_list: {
    type: 'text/plain; charset=utf-8',
    ending: ' gcp_list.txt',
    systems: 'any',
    leavesOut: true,
    write: gcpListOf,
  },
  opensfm: {
    type: 'application/json',
    ending: ' ground_control_points.json',
    systems: 'wgs84',
    leavesOut: true,
    write: opensfmOf,
  },
}
