import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import proj4 from 'proj4'
import { cut } from './cut.ts'

/** A coordinate reference system that leads to WGS84. `unit` is metres to one of its units (1 for degrees too). */
export type Crs = {
  name: string
  geographic: boolean
  unit: number
  /** West, south, east, north of where it is meant to be used; west > east crosses the antimeridian. */
  area: readonly number[] | undefined
  /** Easting (or longitude) and northing (or latitude) to WGS84 longitude and latitude. */
  toWgs84: (x: number, y: number) => readonly [longitude: number, latitude: number]
}

export type CrsTable = {
  /** @returns the system, or in one sentence why it cannot be used. `text` is what `crsTextOf` gave. */
  find: (text: string) => Crs | string
}

/** Degrees beyond the published area of use within which a point still counts as inside: surveys cross such borders. */
const AREA_MARGIN_DEGREES = 1

/** Lines that name a reference system, as written by OpenDroneMap, WebODM, Metashape and people. */
const epsg = /^(?:crs|srs|srid)? ?[:=]? ?EPSG ?[: ] ?(\d{4,6})$/i
const utm = /^(?:WGS ?-?84 ?\/? ?)?UTM ?(?:zone)? ?(\d{1,2}) ?([NS])$/i
const longlat = /^WGS ?-?84(?: ?[/,]? ?(?:long?[ -/]?lat|lat[ -/]?long?))?$/i

/** Longer lines and names are not looked at: no expression runs on them. */
const MAX_LINE = 512
const MAX_NAME = 255

/**
 * The reference system that a line of a file names, in a form `CrsTable.find` takes, or undefined. Comment signs,
 * quotes and trailing delimiters around it do not matter.
 */
export function crsTextOf(line: string): string | undefined {
  if (line.length > MAX_LINE) return undefined
  let end = line.length
  while (end > 0 && /[,;|\s"']/.test(line[end - 1]!)) end--
  const text = line
    .slice(0, end)
    .replace(/^[#\s"']+/, '')
    .replace(/\s+/g, ' ')
  if (text.length > MAX_NAME) return undefined
  const code = epsg.exec(text)?.[1]
  if (code) return `EPSG:${Number(code)}`
  const zone = utm.exec(text)
  if (zone) return `EPSG:${zone[2]!.toUpperCase() === 'N' ? 32600 + Number(zone[1]) : 32700 + Number(zone[1])}`
  if (longlat.test(text)) return 'EPSG:4326'
  return /^\+proj=\w+/.test(text) ? text : undefined
}

type TableRow = [definition: string, area: number[]] | string

let loading: Promise<Record<string, TableRow>> | undefined

/** The table made by server/scripts/epsg.ts, read on first use and kept: 7,187 codes. */
async function rows(): Promise<Record<string, TableRow>> {
  const packed = await readFile(new URL('./epsg.json.gz', import.meta.url))
  return JSON.parse((await promisify(gunzip)(packed)).toString('utf8'))
}

export async function loadCrsTable(): Promise<CrsTable> {
  loading ??= rows()
  const table = await loading
  const known = new Map<string, Crs | string>()
  return {
    find(text) {
      const crs = known.get(text) ?? build(text, table)
      known.set(text, crs)
      return crs
    },
  }
}

function build(text: string, table: Record<string, TableRow>): Crs | string {
  if (!text.startsWith('EPSG:')) return fromDefinition(text, text, undefined)
  const row = table[text.slice(5)]
  if (row === undefined) return `${text} is not a projected or geographic reference system of the EPSG register`
  if (typeof row === 'string') {
    return `${text} cannot be brought to WGS84: ${row}; convert the file to latitude and longitude first`
  }
  return fromDefinition(text, row[0], row[1])
}

function fromDefinition(name: string, definition: string, area: number[] | undefined): Crs | string {
  try {
    const { forward } = proj4(definition, 'WGS84')
    forward([0, 0])
    const { to_meter: metres = 1, projName } = proj4.Proj(definition) as unknown as {
      to_meter?: number
      projName: string
    }
    const geographic = projName === 'longlat'
    return {
      name,
      geographic,
      unit: geographic ? 1 : metres,
      area,
      toWgs84: (x, y) => forward([x, y]) as [number, number],
    }
  } catch {
    return `"${cut(name, 60)}" is not a reference system that can be read: name it as EPSG:n`
  }
}

/** Whether a point lies where its reference system is meant to be used, with a margin of one degree. */
export function inArea(area: readonly number[], longitude: number, latitude: number): boolean {
  const [west, south, east, north] = area as [number, number, number, number]
  if (latitude < south - AREA_MARGIN_DEGREES || latitude > north + AREA_MARGIN_DEGREES) return false
  const width = (((east - west) % 360) + 360) % 360 || 360
  const offset = (((longitude - west + AREA_MARGIN_DEGREES) % 360) + 360) % 360
  return offset <= width + 2 * AREA_MARGIN_DEGREES
}
