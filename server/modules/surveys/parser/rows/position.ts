import type { Crs, CrsTable, Operation } from '../../../reference-systems/crs.ts'
import type { RowError } from '../errors.ts'
import { type Packed, readAnglesRunTogether } from '../layout/angles/packed.ts'
import type { Role } from '../layout/columns.ts'
import type { InZone, Layout } from '../layout/layout.ts'
import { truncate } from '../truncate.ts'
import { notANumber, type Row } from './row.ts'
import { toWgs84 } from './to-wgs84.ts'
import { readAngle } from './values/angles.ts'
import { readPair } from './values/pair.ts'

/** Where a point is. `h` is there when the coordinates themselves hold a height above the ellipsoid, `z` one of unknown datum. */
export type Position = {
  latitude: number
  longitude: number
  h?: number
  z?: number
  outsideZone: boolean
  /** What led to WGS84, of coordinates in another system. */
  operation: Operation | undefined
}

/** Heights further from the ellipsoid are no places on earth. */
const MAX_HEIGHT = 100_000

/** The code of WGS84 in degrees, which needs no conversion. */
const WGS84 = 4326

/** A cell of a column of systems: a code or name, `33N` or, with the letter of its band, `33U` of UTM. */
function systemText(cell: string): string {
  const zone = /^(\d{1,2}) ?([C-HJ-NP-X])$/i.exec(cell)
  if (!zone) return cell
  const letter = zone[2]!.toUpperCase()
  return `UTM ${zone[1]}${letter === 'S' || letter < 'N' ? 'S' : 'N'}`
}

const sideIn = (name: string): string =>
  /[([] ?(W(?:est)?|S(?:outh)?|O(?:uest|este)?|Sud|Sur) ?[)\]]/i.exec(name)?.[1] ?? ''

/** Figures alone are in the unit of their system, such as grads; degrees that are set apart are degrees. */
const turnOf = (crs: Crs | undefined, cell: string): number => (/\d\D+\d\D+\d/.test(cell) ? 1 : (crs?.turn ?? 1))

/** Reads the positions of one file. A row with a fault has no position; the fault is added to the row. */
export function positionReader(layout: Layout, { table, inZone }: { table: CrsTable; inZone: InZone | undefined }) {
  const { columns, decimal, kind, swapped } = layout
  // Ost and oost are east; ouest, oeste and ovest west.
  const o = /^(?:l(?:ä|ae?)ng|geogr.*l(?:ä|ae?)ng|leng)/i.test(columns.longitude?.[0]?.name ?? '') ? 'E' : 'W'
  const lonFirst = /^\W*lon/i.test(columns.position?.[0]?.name ?? '')

  const named = (role: 'latitude' | 'longitude', says: (name: string) => boolean) =>
    (columns[role] ?? []).map(({ name }) => name).filter(says)
  // Headers that say that their column counts to the south or west, as in `Longitude (W)`, and that speak of minutes.
  const negative = new Set([
    ...named('latitude', (name) => /^s/i.test(sideIn(name))),
    ...named('longitude', (name) => /^w/i.test(sideIn(name)) || (o === 'W' && /^o/i.test(sideIn(name)))),
  ])
  const inParts = (name: string) => /dms|dd?\W?mm?\W?ss/i.test(name)
  const parts = new Set([...named('latitude', inParts), ...named('longitude', inParts)])

  const packed = layout.angles === 'decimal' ? undefined : layout.angles

  return { crsOf, positionOf }

  /** The system of a row: its own column's, else the file's. Geodetic columns need none and take only a geographic one. */
  function crsOf(row: Row): Crs | undefined {
    const cell = columns.crs ? row.cell('crs') : ''
    if (cell === '') return layout.crs
    const system = table.find(systemText(cell))
    if (kind === 'geodetic' || (kind === 'position' && layout.crs === undefined)) {
      if (typeof system === 'object' && (system.kind === 'geographic' || kind === 'position')) return system
      return layout.crs
    }
    if (typeof system === 'object') return system
    row.fault('crs', 'UNKNOWN_CRS', system)
    return undefined
  }

  function positionOf(row: Row, crs: Crs | undefined): Position | undefined {
    if (kind === 'geocentric') return fromCentre(row, crs ?? layout.crs!)
    if (kind === 'position') return fromCell(row, crs)
    const [xRole, yRole]: [Role, Role] = kind === 'geodetic' ? ['longitude', 'latitude'] : ['easting', 'northing']
    if (kind === 'grid' && !crs) {
      if (row.cell('crs') === '')
        row.fault('crs', 'UNKNOWN_CRS', 'the row names no reference system for its grid coordinates')
      return undefined
    }
    const read = kind === 'geodetic' ? angle : gridNumber
    const [y, x] = [read(row, yRole, crs), read(row, xRole, crs)]
    if (x === undefined || y === undefined) return undefined
    return placed(row, { x, y }, crs, { x: row.column(xRole)!.name, y: row.column(yRole)!.name })
  }

  function placed(row: Row, pair: { x: number; y: number }, crs: Crs | undefined, names: { x: string; y: string }) {
    const found = toWgs84(pair, { crs, inZone, names, named: kind === 'geodetic', swapped })
    if (!('fault' in found)) return found
    row.faults.push(found.fault)
    return undefined
  }

  function fromCell(row: Row, crs: Crs | undefined): Position | undefined {
    const cell = row.cell('position')
    const pair = readPair(cell, decimal, lonFirst)
    const name = row.column('position')!.name
    if (!pair) {
      const message = `${name} "${truncate(cell, 60)}" is no pair of coordinates: write latitude and longitude as in "52.5, 13.4", or POINT(13.4 52.5)`
      row.fault('position', 'NOT_A_NUMBER', message)
      return undefined
    }
    const own = pair.srid === undefined ? crs : pair.srid === WGS84 ? undefined : table.find(`EPSG:${pair.srid}`)
    if (typeof own === 'string') {
      row.fault('position', 'UNKNOWN_CRS', own)
      return undefined
    }
    const found = placed(row, pair, own, { x: name, y: name })
    return found && { ...found, ...(pair.z !== undefined && { z: pair.z }) }
  }

  /** X, Y and Z from the earth's centre (ECEF). */
  function fromCentre(row: Row, crs: Crs): Position | undefined {
    const [x, y, z] = (['x', 'y', 'z'] as const).map((role) => row.length(role))
    if (x == null || y == null || z == null) {
      for (const role of ['x', 'y', 'z'] as const)
        if (row.cell(role) === '') row.fault(role, 'NOT_A_NUMBER', `${role} is empty`)
      return undefined
    }
    const ground = crs.toWgs84(x, y, z)
    if (!ground || !(Math.abs(ground.h) < MAX_HEIGHT)) {
      const message = `x ${x}, y ${y}, z ${z} are no place on the ground counted from the earth's centre (${crs.name})`
      row.faults.push({
        column: row.column('x')!.name,
        value: null,
        code: 'OUTSIDE_CRS_AREA',
        message,
      } satisfies RowError)
      return undefined
    }
    const { longitude, latitude, h, operation } = ground
    const refusal = crs.refusal(operation)
    if (refusal) row.fault('x', 'CRS_ACCURACY', `${crs.name}: ${refusal}`)
    const found = placed(row, { x: longitude, y: latitude }, undefined, { x: 'longitude', y: 'latitude' })
    return found && { ...found, h, operation }
  }

  function gridNumber(row: Row, role: Role, crs: Crs | undefined): number | undefined {
    const value = row.length(role, crs?.unit ?? 1)
    if (value === null && row.cell(role) === '') row.fault(role, 'NOT_A_NUMBER', `${role} is empty`)
    return value === null ? undefined : ((row.column(role)!.isReversed ? -1 : 1) * value) / (crs?.unit ?? 1)
  }

  function angle(row: Row, role: Role, crs: Crs | undefined): number | undefined {
    const side = role === 'latitude' ? row.cell('latitudeSide') : row.cell('longitudeSide')
    const cell = row.cell(role)
    const text = /^[NSEWO]$/i.test(side) && !/[NSEWO]/i.test(cell) ? `${cell.replace(/^\+/, '')} ${side}` : cell
    const value = packed ? readAnglesRunTogether(text, packed, decimal, o) : readAngle(text, decimal, o)
    if (!value) {
      const message = packed ? notRunTogether(role, cell, packed) : notAnAngle(role, cell)
      row.fault(role, 'NOT_A_NUMBER', cell === '' ? `${role} is empty` : message)
      return undefined
    }
    if (!layout.angles && parts.has(row.column(role)!.name) && /^[NSEW]? ?[+-]?\d+[.,]\d+ ?[NSEW]?$/i.test(cell)) {
      const message = `${role} "${cell}" can be degrees, or the degrees, minutes and seconds that its header speaks of: import with angles=dms-packed or angles=decimal, or set the parts apart as in 52°31'12.02"N`
      row.fault(role, 'NOT_A_NUMBER', message)
      return undefined
    }
    const wrong = value.hemisphere && 'NS'.includes(value.hemisphere) !== (role === 'latitude')
    if (wrong) row.fault(role, 'AXES_SWAPPED', `${role} "${cell}" is of the other axis: exchange the two columns`)
    const unsigned = value.hemisphere === undefined && value.degrees > 0 && negative.has(row.column(role)!.name)
    return wrong ? undefined : value.degrees * (row.column(role)!.turn ?? turnOf(crs, cell)) * (unsigned ? -1 : 1)
  }

  function notRunTogether(role: Role, cell: string, form: Packed): string {
    return `${role} "${truncate(cell, 60)}" is no angle run together as ${form}: its minutes and seconds must be figures below 60`
  }

  function notAnAngle(role: Role, cell: string): string {
    const message = notANumber(role, cell, decimal)
    return /\d\D+\d/.test(cell) && message.includes('is not a number:')
      ? `${role} "${truncate(cell, 60)}" is no angle: write it as in 52.520006, 52°31'12.02"N or 52 31 12.02`
      : message
  }
}
