import { SurveyFileError } from '../../errors.ts'
import type { SurveyFormat } from '../../table.ts'

export const SHAPEFILE = 'send a ZIP file with the .shp, .shx, .dbf and .prj of the same name'
/** Other programs do not read the datum of every MapInfo file. */
export const MAPINFO =
  'save it as GeoPackage or Shapefile, whose reference systems are exact, or export the points as CSV'

/** Enough for the definition of a reference system. */
const MAX_HEAD = 9000

/** Known formats without readable points: signature, name, and what to export instead. */
const kinds: [start: RegExp, what: string, instead: string][] = [
  [
    /^.{60}RINEX VERSION|^.{60}CRINEX VERS/,
    'RINEX, raw GNSS observations',
    'process them to positions, and import the result as RTKLIB .pos, GrafNav text or CSV',
  ],
  [/^#[a-d][PV]\d{4} /, 'SP3, the orbits of satellites', 'import the positions that were computed with them'],
  [
    /^\xb5\x62/,
    'a raw log of a u-blox receiver',
    'have the receiver write NMEA, or process the log to an RTKLIB .pos file',
  ],
  [/^00NMSC ?V/, 'a Trimble DC file', 'export the job as JobXML (.jxl) or CSV'],
  [/^CO,Nikon RAW/i, 'Nikon RAW, total station measurements', 'export the coordinates as CSV or SDR33'],
  [
    /^\s{0,9}(?:PROJCS|GEOGCS|GEOCCS|COMPD_CS|PROJCRS|GEOGCRS|COMPOUNDCRS)\s?\[[^\n]{0,8000}\]\s{0,9}$/,
    'the .prj of a Shapefile alone, a reference system without points',
    SHAPEFILE,
  ],
  [/^Version \d+\r?\nCharset "/i, 'a MapInfo file (.mif)', MAPINFO],
  [/^!table\r?\n!version/i, 'the .tab of a MapInfo table', MAPINFO],
  [
    /^%=SNX \d/,
    'SINEX, a solution of stations',
    'write X, Y and Z of the stations as CSV, and import it with crs=EPSG:4978',
  ],
  [
    /^(?:[^\n]{0,200}\n){0,30}[ \t]{0,40}(?:NGS )?OPUS(?:-RS)? SOLUTION REPORT[ \t\r]{0,40}\n(?:[^\n]{0,200}\n){0,60}[ \t]{0,40}(?:LAT|E LON):/,
    'a report of OPUS',
    'write its LAT, its E LON (minus 360 in the west) and its EL HGT as CSV with the header title,lat,lon,h',
  ],
  [
    /^[^\n]{0,40}National Geodetic Survey, +Retrieval Date/,
    'a datasheet of the NGS',
    'download the marks as a Shapefile, or write their positions as CSV with the header title,lat,lon,h',
  ],
  [/^AC10\d\d/, 'an AutoCAD drawing (DWG)', 'save it as DXF, or export the points as LandXML or CSV'],
  [/^(?:LASF|ASTM-E57)/, 'a point cloud', 'upload it as a scan; control points come as CSV or LandXML'],
  [/^\s{0,100}<(?:!DOCTYPE html|html)\b/i, 'a web page', 'download the file itself, not the page that shows it'],
]

/** The versions of dBASE in the first byte of a table. */
const DBASE = [0x03, 0x04, 0x05, 0x30, 0x83, 0x8b, 0xf5]

/** A dBASE table: version, a date, and a header of 32 bytes, 32 for each field, and a carriage return (dBASE III). */
function isDbf(head: Buffer): boolean {
  if (head.length < 65 || !DBASE.includes(head[0]!)) return false
  const [month, day, header] = [head[2]!, head[3]!, head.readUInt16LE(8)]
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= 31
  return isDate && header % 32 <= 8 && head.subarray(0, header).includes(13, 64)
}

/** The geometry and the index of a Shapefile begin with the same number; the first entry of the index is word 50. */
const SHAPE = 9994
const FIRST_WORD = 50

/** The binary parts of a Shapefile that are sent alone. */
function partOfShapefile(head: Buffer): string | undefined {
  if (isDbf(head)) return 'the .dbf of a Shapefile alone, a table without positions'
  if (head.length < 28 || head.readUInt32BE(0) !== SHAPE) return undefined
  return head.length >= 104 && head.readUInt32BE(100) === FIRST_WORD
    ? 'the .shx of a Shapefile alone, an index without positions'
    : 'the .shp of a Shapefile alone, without names and reference system'
}

/** Detected by bytes, because some of these files are binary. */
function kindOf(head: Buffer): { what: string; instead: string } | undefined {
  const part = partOfShapefile(head)
  if (part) return { what: part, instead: SHAPEFILE }
  const text = head.toString('latin1', 0, MAX_HEAD).replace(/^\xef\xbb\xbf/, '')
  const [, what, instead] = kinds.find(([start]) => start.test(text)) ?? []
  return what === undefined ? undefined : { what, instead: instead! }
}

/** Refuses files of known unreadable formats, and says what to export instead. */
export const unreadable: SurveyFormat = {
  name: 'unreadable',
  detects: (head) => kindOf(head) !== undefined,
  async read(bytes) {
    let start = Buffer.alloc(0)
    for await (const piece of bytes) {
      start = Buffer.concat([start, piece])
      if (start.length >= MAX_HEAD) break
    }
    const { what, instead } = kindOf(start)!
    throw new SurveyFileError('NOT_A_TABLE', `the file is ${what}: ${instead}`)
  },
}
