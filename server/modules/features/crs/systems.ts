import { invalid } from '../../../platform/errors.ts'
import { CRS84, CRS84H } from '../schema.ts'
import { LISTED_CODES } from './listed-codes.ts'

const EPSG = 'http://www.opengis.net/def/crs/EPSG/0/'

/** A reference system of requests and responses. */
export type FeatureSystem = {
  uri: string
  /** What turns WGS84 into it: nothing, another order of the axes, or PROJ. */
  kind: 'lon-lat' | 'lat-lon' | 'proj'
  /** Its code, `EPSG:25833`. */
  code: string
}

const own: FeatureSystem[] = [
  { uri: CRS84, kind: 'lon-lat', code: 'OGC:CRS84' },
  { uri: CRS84H, kind: 'lon-lat', code: 'OGC:CRS84h' },
  { uri: `${EPSG}4326`, kind: 'lat-lon', code: 'EPSG:4326' },
  { uri: `${EPSG}4979`, kind: 'lat-lon', code: 'EPSG:4979' },
]

/** The system of responses, and of requests that name none. */
export const WGS84 = own[0]!

/** Systems of three axes, which a bbox may have heights in. */
export const hasHeights = ({ uri }: FeatureSystem): boolean => uri === CRS84H || uri === `${EPSG}4979`

const codes = new Set(LISTED_CODES.split(' ').flatMap(codesIn))

function codesIn(range: string): string[] {
  const [first, last = first] = range.split('-').map(Number) as [number, number?]
  return Array.from({ length: last! - first + 1 }, (_, i) => String(first + i))
}

/** The addresses of all systems that a request may name. */
export const LISTED_SYSTEMS: string[] = [
  ...new Set([...own.map(({ uri }) => uri), ...[...codes].map((code) => EPSG + code)]),
]

/** Reads the address of a system; absent: CRS84. @param path what names it @throws 400 */
export function readSystem(uri: string | undefined, path: string): FeatureSystem {
  if (uri === undefined) return WGS84
  const known = own.find((system) => system.uri === uri)
  if (known) return known
  const code = uri.startsWith(EPSG) ? uri.slice(EPSG.length) : ''
  if (codes.has(code)) return { uri, kind: 'proj', code: `EPSG:${code}` }
  const message = `"${uri.slice(0, 100)}" is not one of the reference systems in \`crs\` of /ogc/collections, such as ${EPSG}3857`
  throw invalid([{ code: 'custom', message, path: [path] }])
}

/** The value of the header `Content-Crs` (OGC 18-058r1, 6.2.4). */
export const contentCrs = ({ uri }: FeatureSystem): string => `<${uri}>`

/** Reads the header `Content-Crs` of a write; absent: CRS84. @throws 400 */
export function readContentCrs(header: string | string[] | undefined): FeatureSystem {
  if (header === undefined) return WGS84
  return readSystem(/^<(.*)>$/.exec(String(header).trim())?.[1] ?? String(header), 'Content-Crs')
}
