import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import proj4 from 'proj4'
import { cut } from '../surveys/reading/cut.ts'
import { namesOf, plainName } from './crs-names.ts'
import { crsNameOf, crsTextOf } from './crs-text.ts'

/** A coordinate reference system that leads to WGS84. `unit` is metres to one of its units (1 for degrees too). */
export type Crs = {
  name: string
  kind: 'geographic' | 'projected' | 'geocentric'
  unit: number
  /** West, south, east, north of where it is meant to be used; west > east crosses the antimeridian. */
  area: readonly number[] | undefined
  /** How far its published way to WGS84 may be off, in metres; undefined where nothing is said. */
  accuracy: number | undefined
  /** Combined with heights above the sea. */
  seaLevel: boolean
  /** Its surveyors call the northing X, most programs the easting. */
  northingIsX: boolean
  /** Easting (or longitude) and northing (or latitude) to WGS84 longitude and latitude; a geocentric one with its z. */
  toWgs84: (x: number, y: number, z?: number) => readonly [longitude: number, latitude: number, h?: number]
}

export type CrsTable = {
  /** @returns the system of a code, a proj4 text, a WKT text or a name, or in one sentence why it cannot be used. */
  find: (text: string) => Crs | string
  /**
   * What a line of a file names, in a form `find` takes, or undefined. A name counts only if the register has it, and
   * without a label only with a figure or a slash in it: systems are called Tokyo and Lisbon too.
   */
  namedIn: (line: string) => string | undefined
}

/** Degrees beyond the published area of use within which a point still counts as inside: surveys cross such borders. */
const AREA_MARGIN_DEGREES = 1

/** Systems whose own axes are X north and Y east, of those where figures alone do not tell which is which. */
const NORTHING_IS_X = /Japan Plane Rectangular|CS92|Gauss-Kruger|Krovak/

/** Longer texts describe no system; so many are kept while a file is read. */
const MAX_TEXT = 8 * 1024
const MAX_KNOWN = 1000

type UsableRow = [definition: string, area: number[], name: string, accuracy: number | null]
type TableRow = UsableRow | [reason: string, name: string]
type Register = { rows: Record<string, TableRow>; codes: Map<string, string> }

const nameOf = (row: TableRow): string => (row.length === 2 ? row[1] : row[2])

let loading: Promise<Register> | undefined

/** The table made by server/scripts/epsg.ts, read on first use and kept: more than 7,000 codes and their names. */
async function register(): Promise<Register> {
  const packed = await readFile(new URL('./epsg.json.gz', import.meta.url))
  const rows: Record<string, TableRow> = JSON.parse((await promisify(gunzip)(packed)).toString('utf8'))
  const names = Object.entries(rows).map(([code, row]) => [code, nameOf(row)] as const)
  return { rows, codes: namesOf(names.filter(([, name]) => !name.includes(' + '))) }
}

export async function loadCrsTable(): Promise<CrsTable> {
  loading ??= register()
  const table = await loading
  const known = new Map<string, Crs | string>()
  const codeOf = (name: string) => table.codes.get(plainName(name))
  const namedIn = (line: string): string | undefined => {
    const text = crsTextOf(line)
    if (text !== undefined) return text
    const named = crsNameOf(line)
    const code = named && (named.labelled || /[\d/]/.test(named.name)) ? codeOf(named.name) : undefined
    return code && `EPSG:${code}`
  }
  return {
    namedIn,
    find(text) {
      const earlier = known.get(text)
      if (earlier !== undefined) return earlier
      const code = /^\d{4,6}$/.test(text) ? text : codeOf(text)
      const crs = build(namedIn(text) ?? (code ? `EPSG:${code}` : text), table)
      if (known.size < MAX_KNOWN && text.length <= MAX_TEXT) known.set(text, crs)
      return crs
    },
  }
}

function build(text: string, { rows, codes }: Register): Crs | string {
  const wktName = /^[A-Z]+\s*\[\s*"([^"]*)"/.exec(text)?.[1]
  const code = text.startsWith('EPSG:') ? text.slice(5) : wktName && codes.get(plainName(wktName))
  if (!code) return fromText(text)
  const row = rows[code]
  if (row === undefined)
    return `"${cut(text, 80)}" is not a projected or geographic reference system of the EPSG register`
  if (row.length === 2) {
    return `EPSG:${code} (${row[1]}) cannot be brought to WGS84: ${row[0]}; export the points as latitude and longitude instead`
  }
  const crs = fromDefinition(`EPSG:${code}`, row[0], row[1], row[3] ?? undefined)
  if (typeof crs === 'string') return crs
  const name = nameOf(row)
  return { ...crs, seaLevel: name.includes(' + '), northingIsX: NORTHING_IS_X.test(name) }
}

/** A proj4 or WKT text of the file's own. One whose datum is neither WGS84's nor given its shift lands metres away. */
function fromText(text: string): Crs | string {
  const unread = `"${cut(text, 60)}" is not a reference system that can be read: name it as EPSG:n`
  const proj = text.startsWith('+proj=')
  if (text.length > MAX_TEXT || (!proj && !/^[A-Z_]+\s*\[/.test(text))) return unread
  const shifted = proj
    ? /\+towgs84=|\+datum=(?!NAD27)|\+ellps=(?:GRS80|WGS84)|\+nadgrids=@null/.test(text)
    : /TOWGS84|GRS_?\s?(?:19)?80|WGS_?\s?(?:19)?84/i.test(text)
  if (!shifted) return `${unread}; its own text does not say how its datum leads to WGS84`
  if (/\+nadgrids=(?!@null)/.test(text)) return `"${cut(text, 60)}" needs a shift grid: name the system as EPSG:n`
  return fromDefinition(proj ? cut(text, 100) : cut(text, 60), text, utmArea(text), undefined, unread)
}

/** Where a zone of UTM that is written as proj4 text is used: as far as its neighbours' middle, on its half of the earth. */
function utmArea(text: string): number[] | undefined {
  const zone = Number(/^\+proj=utm .*\+zone=(\d{1,2})\b/.exec(text)?.[1])
  if (!(zone >= 1 && zone <= 60)) return undefined
  const middle = zone * 6 - 183
  const [south, north] = /\+south\b/.test(text) ? [-80, 0] : [0, 84]
  return [middle - 6, south, middle + 6, north].map((degrees, i) => (i % 2 ? degrees : ((degrees + 540) % 360) - 180))
}

function fromDefinition(
  name: string,
  definition: string,
  area: number[] | undefined,
  accuracy: number | undefined,
  unread = `"${cut(name, 60)}" is not a reference system that can be read: name it as EPSG:n`,
): Crs | string {
  try {
    const { to_meter: metres = 1, projName } = proj4.Proj(definition) as unknown as {
      to_meter?: number
      projName: string
    }
    const kind = projName === 'longlat' ? 'geographic' : projName === 'geocent' ? 'geocentric' : 'projected'
    const { forward } = proj4(definition.replace('+axis=swu', ''), 'WGS84')
    const asDefined = foldedAxes(definition)
    forward(kind === 'geocentric' ? [6_400_000, 0, 0] : [0, 0])
    return {
      name,
      kind,
      unit: kind === 'projected' ? metres : 1,
      area,
      accuracy,
      seaLevel: false,
      northingIsX: false,
      toWgs84: (x, y, z) => forward(z === undefined ? asDefined(x, y) : [x, y, z]) as [number, number, number?],
    }
  } catch {
    return unread
  }
}

type Axes = (x: number, y: number) => [number, number]

/** How coordinates that surveyors write otherwise than software are brought to the way of software. */
function foldedAxes(definition: string): Axes {
  if (/\+proj=krovak (?!.*[xy]_0=-?[1-9])/.test(definition)) return krovak
  const zone = Number(/\+proj=utm .*?\+zone=(\d{1,2})\b/.exec(definition)?.[1])
  // `33391412.2`: in Germany the zone stands before the easting. No easting is that long otherwise.
  return zone > 0 ? (x, y) => [Math.floor(x / 1e6) === zone ? x - zone * 1e6 : x, y] : (x, y) => [x, y]
}

/**
 * S-JTSK: software counts east and north, both below zero there, surveyors west and south, both above, west always the
 * smaller of the two.
 */
const krovak: Axes = (x, y) => {
  if (!(x > 0 && y > 0)) return [x, y]
  return x < y ? [-x, -y] : [Number.NaN, Number.NaN]
}

/** Whether a point lies where its reference system is meant to be used, with a margin of one degree. */
export function inArea(area: readonly number[], longitude: number, latitude: number): boolean {
  const [west, south, east, north] = area as [number, number, number, number]
  if (latitude < south - AREA_MARGIN_DEGREES || latitude > north + AREA_MARGIN_DEGREES) return false
  const width = (((east - west) % 360) + 360) % 360 || 360
  const offset = (((longitude - west + AREA_MARGIN_DEGREES) % 360) + 360) % 360
  return offset <= width + 2 * AREA_MARGIN_DEGREES
}
