import type { SurveyFormat } from '../table.ts'
import { delimited } from './delimited/delimited.ts'
import { dxf } from './dxf/dxf.ts'
import { flatgeobuf } from './flatgeobuf/flatgeobuf.ts'
import { geojson } from './geojson/geojson.ts'
import { geopackage } from './geopackage/geopackage.ts'
import { gml } from './gml/gml.ts'
import { gpx } from './gpx/gpx.ts'
import { grafNav } from './grafnav/grafnav.ts'
import { gsi } from './gsi/gsi.ts'
import { jobXml } from './jobxml/jobxml.ts'
import { kml } from './kml/kml.ts'
import { landXml } from './landxml/landxml.ts'
import { metashape } from './metashape/metashape.ts'
import { micMac } from './micmac/micmac.ts'
import { mrk } from './mrk/mrk.ts'
import { nmea } from './nmea/nmea.ts'
import { rtklib } from './rtklib/rtklib.ts'
import { rw5 } from './rw5/rw5.ts'
import { sdr33 } from './sdr33/sdr33.ts'
import { sima } from './sima/sima.ts'
import { unreadable } from './unreadable/unreadable.ts'
import { zip } from './zip/zip.ts'

/**
 * All survey formats, in the order of detection: the first that recognises the beginning of a file reads it. Formats
 * with a signature come first, NMEA may be between the messages of a raw log, GrafNav needs more lines, and CSV reads
 * the rest.
 */
export const formats: readonly SurveyFormat[] = [
  geopackage,
  flatgeobuf,
  zip,
  gpx,
  kml,
  gml,
  geojson,
  dxf,
  nmea,
  unreadable,
  landXml,
  jobXml,
  metashape,
  gsi,
  sdr33,
  sima,
  rw5,
  micMac,
  mrk,
  rtklib,
  grafNav,
  delimited,
]
