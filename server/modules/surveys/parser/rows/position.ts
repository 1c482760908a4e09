import type { Crs, CrsTable, Operation } from '../../../reference-systems/crs.ts'
import type { RowError } from '../errors.ts'
import { type Packed, readPackedAngle } from '../layout/angles/packed.ts'
import type { Role } from '../layout/columns.ts'
import { sideIn } from '../layout/header/words/sides.ts'
import type { InZone, Layout } from '../layout/layout.ts'
import { truncate } from '../truncate.ts'
import { isExport } from './cairn-export.ts'
import { notANumber, nothing, type Row } from './row.ts'
import { systemReader } from './row-system.ts'
import { areSureTimes } from './time-cells.ts'
import { toWgs84 } from './to-wgs84.ts'
import { readAngle } from './values/angles.ts'
import { hemisphereIn, isSideSign } from './values/hemisphere.ts'
import { meaningOfO } from './values/letter-o.ts'
import { hasLetter, unclearLetter, unclearLetters } from './values/letter-s.ts'
import { axisAfter } from './values/numbers.ts'
import { readPair } from './values/pair.ts'

/** The position of a point. `h` is an ellipsoidal height in the coordinates themselves, `z` one of unknown datum. */
export type Position = {
  latitude: number
  longitude: number
  h?: number
  z?: number
  outsideZone: boolean
  /** The operation to WGS84, for coordinates in another system. */
  operation: Operation | undefined
  /** What was exchanged to read the position. */
  swap?: string
}

/** Maximum distance of a height from the ellipsoid. */
const MAX_HEIGHT = 100_000

/** The code of WGS84 in degrees, which needs no conversion. */
const WGS84 = 4326

/** Plain numbers are in the unit of their system, such as grads; separated parts are degrees. */
const turnOf = (crs: Crs | undefined, cell: string): number => (/\d\D+\d\D+\d/.test(cell) ? 1 : (crs?.turn ?? 1))

const sideOf = (role: Role): Role => (role === 'latitude' ? 'latitudeSide' : 'longitudeSide')

type Deps = { table: CrsTable; inZone: InZone | undefined; swapAxes: boolean }

/** Reads the positions of one file. A row with an error has no position; the error is added to the row. */
export function positionReader(layout: Layout, { table, inZone, swapAxes }: Deps) {
  const { columns, decimal, kind, swapped } = layout
  const read = Object.values(columns).flatMap((all) => all.map(({ name }) => name))
  const o = meaningOfO(read)
  const isUnclearLetter = unclearLetters([...read, ...(layout.headers ?? [])])
  const lonFirst = /^\W*lon/i.test(columns.position?.[0]?.name ?? '')

  const named = (role: 'latitude' | 'longitude', says: (name: string) => boolean) =>
    (columns[role] ?? []).map(({ name }) => name).filter(says)
  // Headers whose column counts to the south or west, as in `Longitude (W)`, and headers that mention minutes.
  const negative = new Set([
    ...named('latitude', (name) => hemisphereIn(sideIn(name)) === 'S'),
    ...named('longitude', (name) => {
      const side = hemisphereIn(sideIn(name))
      return side === 'W' || (side === 'O' && o === 'W')
    }),
  ])
  const inParts = (name: string) => /dms|dd?\W?mm?\W?ss/i.test(name)
  const parts = new Set([...named('latitude', inParts), ...named('longitude', inParts)])

  const packed = layout.angles === 'decimal' ? undefined : layout.angles

  return { crsOf: systemReader(layout, table), positionOf }

  function positionOf(row: Row, crs: Crs | undefined): Position | undefined {
    if (kind === 'geocentric') return fromCentre(row, crs ?? layout.crs!)
    if (kind === 'position') return fromCell(row, crs)
    const [xRole, yRole]: [Role, Role] = kind === 'geodetic' ? ['longitude', 'latitude'] : ['easting', 'northing']
    if (kind === 'grid' && !crs) {
      if (row.cell('crs') === '')
        row.fault('crs', 'UNKNOWN_CRS', 'the row names no reference system for its grid coordinates')
      return undefined
    }
    if (swapAxes && kind === 'geodetic' && belongsElsewhere(row, 'latitude') && belongsElsewhere(row, 'longitude')) {
      const [latitude, longitude] = [angle(row, 'longitude', crs, 'latitude'), angle(row, 'latitude', crs, 'longitude')]
      if (latitude === undefined || longitude === undefined) return undefined
      const found = placed(row, { x: longitude, y: latitude }, crs, { x: 'longitude', y: 'latitude' })
      const swap = `the coordinates were swapped: "${row.cell('longitude')}" is latitude and "${row.cell('latitude')}" is longitude`
      return found && { ...found, swap }
    }
    if (kind === 'geodetic' && !areSureTimes(row, decimal)) return undefined
    const read = kind === 'geodetic' ? angle : gridNumber
    const [y, x] = [read(row, yRole, crs), read(row, xRole, crs)]
    if (x === undefined || y === undefined) return undefined
    return placed(row, { x, y }, crs, { x: row.column(xRole)!.name, y: row.column(yRole)!.name })
  }

  function placed(
    row: Row,
    pair: { x: number; y: number },
    crs: Crs | undefined,
    names: { x: string; y: string },
    maySwap = swapAxes,
  ) {
    const isGeodetic = kind === 'geodetic' || (kind === 'position' && crs?.kind !== 'projected')
    if (pair.x === 0 && pair.y === 0 && isGeodetic && !isExport(columns) && !inZone?.(0, 0)) {
      const message = `${names.y} and ${names.x} are both 0, as programs write a position that is missing: write the position, or delete the row`
      row.fault(kind === 'position' ? 'position' : 'latitude', 'NO_FIX', message)
      return undefined
    }
    const found = toWgs84(pair, { crs, inZone, names, named: kind === 'geodetic', swapped, swapAxes: maySwap })
    if (!('fault' in found)) return found
    row.faults.push(found.fault)
    return undefined
  }

  function fromCell(row: Row, crs: Crs | undefined): Position | undefined {
    const cell = row.cell('position')
    const pair = readPair(cell, decimal, lonFirst)
    const name = row.column('position')!.name
    if (!pair) {
      const message = `${name} "${truncate(cell, 60)}" is not a pair of coordinates: write latitude and longitude as in "52.5, 13.4", or POINT(13.4 52.5)`
      row.fault('position', 'NOT_A_NUMBER', message)
      return undefined
    }
    for (const [letter, value] of [
      ['S', pair.y],
      ['W', pair.x],
    ] as const)
      if (isUnclearLetter[letter] && value < 0 && hasLetter(cell, letter)) {
        row.fault('position', 'NOT_A_NUMBER', unclearLetter(`${name} "${truncate(cell, 60)}"`, letter))
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
        if (nothing.test(row.cell(role))) row.fault(role, 'NOT_A_NUMBER', `${role} is empty`)
      return undefined
    }
    const ground = crs.toWgs84(x, y, z)
    if (!ground || !(Math.abs(ground.h) < MAX_HEIGHT)) {
      const message = `x ${x}, y ${y}, z ${z} are not a geocentric position on the ground (${crs.name})`
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
    const found = placed(row, { x: longitude, y: latitude }, undefined, { x: 'longitude', y: 'latitude' }, false)
    return found && { ...found, h, operation }
  }

  function gridNumber(row: Row, role: Role, crs: Crs | undefined): number | undefined {
    const axis = axisAfter(row.cell(role))
    if (axis && (axis === 'E') !== (role === 'easting')) {
      onOtherAxis(row, role)
      return undefined
    }
    const value = row.length(role, crs?.unit ?? 1)
    if (nothing.test(row.cell(role))) row.fault(role, 'NOT_A_NUMBER', `${role} is empty`)
    return value === null ? undefined : ((row.column(role)!.isReversed ? -1 : 1) * value) / (crs?.unit ?? 1)
  }

  function angleIn(row: Row, role: Role) {
    const cell = row.cell(role)
    const letter = hemisphereIn(row.cell(sideOf(role)))
    const text = letter && !/[NSEWO]/i.test(cell) ? `${cell.replace(/^\+/, '')} ${letter}` : cell
    return packed ? readPackedAngle(text, packed, decimal, o) : readAngle(text, decimal, o)
  }

  /** Whether a longitude has an O, in its row or in its header, that may be east or west. */
  function isUnclear(row: Row, role: Role): boolean {
    if (role !== 'longitude' || o !== undefined) return false
    const cells = [row.cell(role), row.cell('longitudeSide')]
    return (
      cells.some((cell) => /^ *O(?=[ \d]|$)|(?<![a-z])O *$/i.test(cell)) || /^o$/i.test(sideIn(row.column(role)!.name))
    )
  }

  /** Said once for both columns. */
  function onOtherAxis(row: Row, role: Role): void {
    if (row.faults.some(({ code }) => code === 'AXES_SWAPPED')) return
    row.fault(role, 'AXES_SWAPPED', `${role} "${row.cell(role)}" belongs to the other axis: exchange the two columns`)
  }

  /** Whether the hemisphere in the cell is that of the other axis. */
  function belongsElsewhere(row: Row, role: Role): boolean {
    const hemisphere = angleIn(row, role)?.hemisphere
    return hemisphere !== undefined && 'NS'.includes(hemisphere) !== (role === 'latitude')
  }

  /** @param axis the axis to read the cell for, if not that of its column */
  function angle(row: Row, role: Role, crs: Crs | undefined, axis: Role = role): number | undefined {
    const cell = row.cell(role)
    const value = angleIn(row, role)
    if (!value) {
      const message = packed ? notRunTogether(role, cell, packed) : notAnAngle(role, cell)
      row.fault(role, 'NOT_A_NUMBER', cell === '' ? `${role} is empty` : message)
      return undefined
    }
    if (!layout.angles && parts.has(row.column(role)!.name) && /^[NSEW]? ?[+-]?\d+[.,]\d+ ?[NSEW]?$/i.test(cell)) {
      const message = `${role} "${cell}" can be degrees, or degrees, minutes and seconds, which its header mentions: import with angles=dms-packed or angles=decimal, or separate the parts as in 52°31'12.02"N`
      row.fault(role, 'NOT_A_NUMBER', message)
      return undefined
    }
    const side = row.cell(sideOf(role))
    const isSaid = !nothing.test(side) || isSideSign(side)
    if (isSaid && !hemisphereIn(side) && value.hemisphere === undefined && value.degrees > 0) {
      row.fault(
        sideOf(role),
        'NOT_A_NUMBER',
        `"${truncate(side, 60)}" beside the ${role} is no hemisphere: write ${axis === 'latitude' ? 'N or S' : 'E or W'}`,
      )
      return undefined
    }
    const lettered = layout.lettered?.[role]
    const isNegative = negative.has(row.column(role)!.name)
    if (lettered && value.hemisphere === undefined && value.degrees > 0 && !isNegative) {
      const [shown, sides] = [`${role} "${truncate(cell, 60)}"`, axis === 'latitude' ? 'N or S' : 'E or W']
      if (lettered === 'most') {
        const message = `${shown} has no letter, which the other rows have: write ${sides} beside it`
        row.fault(role, 'NOT_A_NUMBER', message)
        return undefined
      }
      const message = `${shown} has no letter, which some rows have, and was read as ${sides[0]}: write ${sides} beside it`
      row.warnings.push({ code: 'ANGLES_ASSUMED', message })
    }
    if (isUnclear(row, role)) {
      const message = `${role} "${cell}" has the letter O, which is east in German and west in French, Spanish and Italian: write E or W`
      row.fault(role, 'NOT_A_NUMBER', message)
      return undefined
    }
    const letter = axis === 'latitude' ? 'S' : 'W'
    const isLettered = value.hemisphere === letter && (hasLetter(cell, letter) || hasLetter(side, letter))
    const isHeaded = value.hemisphere === undefined && value.degrees > 0 && sideIn(row.column(role)!.name).length === 1
    if (isUnclearLetter[letter] && (isLettered || (isHeaded && isNegative))) {
      const shown = isLettered ? `${role} "${cell}"` : `the header "${truncate(row.column(role)!.name, 60)}"`
      row.fault(role, 'NOT_A_NUMBER', unclearLetter(shown, letter))
      return undefined
    }
    const wrong = value.hemisphere && 'NS'.includes(value.hemisphere) !== (axis === 'latitude')
    if (wrong) onOtherAxis(row, role)
    const unsigned = value.hemisphere === undefined && value.degrees > 0 && isNegative
    return wrong ? undefined : value.degrees * (row.column(role)!.turn ?? turnOf(crs, cell)) * (unsigned ? -1 : 1)
  }

  function notRunTogether(role: Role, cell: string, form: Packed): string {
    return `${role} "${truncate(cell, 60)}" is not a packed angle of the form ${form}: its minutes and seconds must be below 60`
  }

  function notAnAngle(role: Role, cell: string): string {
    const message = notANumber(role, cell, decimal)
    return /\d\D+\d/.test(cell) && message.includes('is not a number:')
      ? `${role} "${truncate(cell, 60)}" is not an angle: write it as in 52.520006, 52°31'12.02"N or 52 31 12.02`
      : message
  }
}
