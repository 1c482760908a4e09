import type { SurveyFormat } from '../table.ts'
import { delimited } from './delimited/delimited.ts'
import { dxf } from './dxf/dxf.ts'
import { flatgeobuf } from './flatgeobuf/flatgeobuf.ts'
import { geojson } from './geojson/geojson.ts'
import { geopackage } from './geopackage/geopackage.ts'
import { gml } from './gml/gml.ts'
import { gpx } from './gpx/gpx.ts'
import { kml } from './kml/kml.ts'
import { zip } from './zip/zip.ts'

/** Every kind of file that points are read from; the first that knows a file by its beginning reads it. */
export const formats: readonly SurveyFormat[] = [geopackage, flatgeobuf, zip, gpx, kml, gml, geojson, dxf, delimited]
