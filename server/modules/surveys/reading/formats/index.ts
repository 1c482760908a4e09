import type { SurveyFormat } from '../table.ts'
import { delimited } from './delimited/delimited.ts'
import { dxf } from './dxf/dxf.ts'
import { flatgeobuf } from './flatgeobuf/flatgeobuf.ts'
import { geopackage } from './geopackage/geopackage.ts'
import { gml } from './gml/gml.ts'
import { gpx } from './gpx/gpx.ts'

/** Every kind of file that points are read from; the first that knows a file by its beginning reads it. */
export const formats: readonly SurveyFormat[] = [geopackage, flatgeobuf, gpx, gml, dxf, delimited]
