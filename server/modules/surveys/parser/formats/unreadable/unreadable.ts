import { SurveyFileError } from '../../errors.ts'
import type { SurveyFormat } from '../../table.ts'

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
    /^(?:[GZ]\d\d,[^\n]{0,200}\n){0,5}(?:Z00,[^\d\s,+.-][^\d\n]{0,200}|(?<=\n)[AZ]00,[,\s]{0,9})\nA0[01],/,
    'a SIMA file of Japan',
    'export the points as CSV with the header 点名,X座標,Y座標,標高',
  ],
  [
    /^\p{Cc}{2}'\n\p{Cc}{20}/u,
    'the .shp of a Shapefile alone, without names and reference system',
    'put it into a ZIP file with the .dbf and .prj of the same name',
  ],
  [/^AC10\d\d/, 'an AutoCAD drawing (DWG)', 'save it as DXF, or export the points as LandXML or CSV'],
  [/^(?:LASF|ASTM-E57)/, 'a point cloud', 'upload it as a scan; control points come as CSV or LandXML'],
  [/^\s{0,100}<(?:!DOCTYPE html|html)\b/i, 'a web page', 'download the file itself, not the page that shows it'],
]

/** Detected by bytes, because some of these files are binary. */
const kindOf = (head: Buffer) => {
  const text = head.toString('latin1', 0, 400).replace(/^\xef\xbb\xbf/, '')
  return kinds.find(([start]) => start.test(text))
}

/** Refuses files of known unreadable formats, and says what to export instead. */
export const unreadable: SurveyFormat = {
  name: 'unreadable',
  detects: (head) => kindOf(head) !== undefined,
  async read(bytes) {
    let start = Buffer.alloc(0)
    for await (const piece of bytes) {
      start = Buffer.concat([start, piece])
      if (start.length >= 512) break
    }
    const [, what, instead] = kindOf(start)!
    throw new SurveyFileError('NOT_A_TABLE', `the file is ${what}: ${instead}`)
  },
}
