import type { Crs, CrsTable } from '../../../reference-systems/crs.ts'
import { DATUM_NAME } from '../layout/header/companions.ts'
import type { Layout } from '../layout/layout.ts'
import { isInBand } from '../layout/utm/zone-columns.ts'
import { truncate } from '../truncate.ts'
import { nothing, type Row } from './row.ts'
import { readGrouped } from './values/numbers.ts'
import { systemInZone, type UtmZone, unfitZone, utmZoneIn, withLetterS } from './values/utm-zone.ts'

/** The zone, band and letters of a square of MGRS. */
const SQUARE = /^\d{1,2} ?[C-HJ-NP-X] ?[A-Z]{2} ?\d/i

/** Reads the reference systems of the rows of one file. A row with an error has none; the error is added to the row. */
export function systemReader(layout: Layout, table: CrsTable) {
  const { columns, decimal, kind } = layout
  /** Whether the column of reference systems is the datum of latitude and longitude. */
  const isDatum = columns.crs?.some(({ name }) => DATUM_NAME.test(name)) ?? false

  return crsOf

  /**
   * The system of a row: that of its own column, otherwise the file's. Geodetic columns accept only a geographic one.
   */
  function crsOf(row: Row): Crs | undefined {
    const cell = columns.crs ? row.cell('crs') : ''
    if (cell === '') return layout.crs
    const letter = columns.latitudeSide ? row.cell('latitudeSide') : ''
    const zone = kind === 'grid' ? inHemisphere(row, cell, utmZoneIn(cell, letter)) : utmZoneIn(cell, letter)
    if (zone === 'unclear') return undefined
    const text = zone?.side ? `UTM ${zone.zone}${zone.side}` : cell
    if (zone && kind === 'grid' && (layout.crs?.utmZone || zone.side === undefined)) {
      const found = layout.crs?.utmZone && systemInZone(zone, layout.crs, table)
      if (found) return isInItsBand(row, cell) ? found : undefined
      row.fault('crs', 'UNKNOWN_CRS', unfitZone(cell, zone, layout.crs))
      return undefined
    }
    if (zone && kind === 'grid' && !isInItsBand(row, cell)) return undefined
    const system = table.find(text)
    if (kind === 'geodetic' || (kind === 'position' && layout.crs === undefined)) {
      if (typeof system === 'object') return system.kind === 'geographic' || kind === 'position' ? system : layout.crs
      // Degrees in a refused system are not on WGS84; a projected one is that of grid coordinates in other columns.
      const refused = table.refusedKind(text)
      if (refused === 'geographic' || (refused && kind === 'position')) row.fault('crs', 'UNKNOWN_CRS', system)
      else if (!refused && isDatum && !nothing.test(cell)) {
        const message = `"${truncate(cell, 60)}" names no reference system: the row was read as ${layout.crs?.name ?? 'WGS84'}`
        row.warnings.push({ code: 'COLUMNS_ASSUMED', message })
      }
      return layout.crs
    }
    // The datum of latitude and longitude, beside the grid coordinates that are read.
    if (kind === 'grid' && layout.crs && isDatum && !(typeof system === 'object' && system.kind === 'projected'))
      return layout.crs
    if (typeof system === 'object') return system
    const square = `"${truncate(text, 60)}" is no square of MGRS: correct its letters, or write as many figures for the northing as for the easting, at least three`
    row.fault('crs', 'UNKNOWN_CRS', SQUARE.test(text) && isUnsplit(row) ? square : system)
    return undefined
  }

  /** Whether a cell that is no square was left whole, without easting and northing. */
  function isUnsplit(row: Row): boolean {
    return row.cell('easting') === '' && row.cell('northing') === ''
  }

  /** The zone of a row, whose S may be the south or band S in the north. The row gets an error if it is unclear. */
  function inHemisphere(row: Row, cell: string, zone: UtmZone | undefined): UtmZone | undefined | 'unclear' {
    const metres = readGrouped(row.cell('northing'), decimal)
    const isHemisphere = /^\d+$/.test(cell) && !/^(?:band|.*letter)/i.test(row.column('latitudeSide')?.name ?? '')
    const isS = /S$/i.test(cell) || (/^\d+$/.test(cell) && zone?.side === 'S' && /^s$/i.test(row.cell('latitudeSide')))
    if (!zone || !isS || metres === undefined) return zone
    const isSouth = isHemisphere || layout.crs?.utmZone?.endsWith('S') === true
    const found = withLetterS(zone, metres, { areBands: layout.areBands === true, isSouth })
    if (typeof found !== 'string') return found
    row.fault('crs', 'UNKNOWN_CRS', found)
    return 'unclear'
  }

  /** Whether the northing fits the letter of a zone; otherwise one of them is wrong, and the row gets an error. */
  function isInItsBand(row: Row, zone: string): boolean {
    const northing = readGrouped(row.cell('northing'), decimal)
    if (northing === undefined || isInBand(zone, northing)) return true
    const message = `the northing ${northing} is not in the band of latitude of zone "${zone}": correct the one that is wrong`
    row.fault('crs', 'UNKNOWN_CRS', message)
    return false
  }
}
