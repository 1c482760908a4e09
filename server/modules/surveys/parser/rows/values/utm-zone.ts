import type { Crs, CrsTable } from '../../../../reference-systems/crs.ts'

/** A zone of UTM in a cell, and its hemisphere if it is known. */
export type UtmZone = { zone: number; side: 'N' | 'S' | undefined }

/**
 * The zone of UTM in a cell, `33N`, `33U` or `33`, with the letter of another cell: a hemisphere or a band of latitude.
 * S is the southern hemisphere. Undefined for other texts.
 */
export function utmZoneIn(cell: string, side: string): UtmZone | undefined {
  const found = /^(\d{1,2}) ?([C-HJ-NP-X])?$/i.exec(cell)
  if (!found) return undefined
  const letter = (found[2] ?? side.charAt(0)).toUpperCase()
  return { zone: Number(found[1]), side: letter === '' ? undefined : letter === 'S' || letter < 'N' ? 'S' : 'N' }
}

/** The system of the file's datum in the zone of a row; a zone without a letter is in the file's hemisphere. */
export function systemInZone({ zone, side }: UtmZone, crs: Crs, table: CrsTable): Crs | undefined {
  const name = `${zone}${side ?? crs.utmZone?.at(-1)}`
  if (name === crs.utmZone) return crs
  const other = crs.inUtmZone(name)
  const found = other === undefined ? undefined : table.find(other)
  return typeof found === 'object' && found.utmZone === name ? found : undefined
}

/** Why the zone of a row cannot be used with the system of the file. */
export function unfitZone(cell: string, { zone, side }: UtmZone, crs: Crs | undefined): string {
  if (side === undefined && !crs)
    return `"${cell}" is a zone of UTM without its hemisphere: write ${zone}N or ${zone}S, or add a column Hemisphere with N or S`
  const band = side === 'S' ? `, or write ${zone}N if S is the band of latitude and not the south` : ''
  return `the row is in zone "${cell}", but the file or crs= names ${crs?.name}: name the system of the row as EPSG:n${band}`
}

/** Northings of band S, 32 to 40 degrees north; in the south they are those of 50 to 58 degrees. */
const BAND_S = { from: 3.5e6, to: 4.5e6 }

/** The zone of a row with the letter S, a band or the south, by its northing; a message if it is unclear. */
export function withLetterS(
  zone: UtmZone,
  northing: number,
  { areBands, isSouth }: { areBands: boolean; isSouth: boolean },
): UtmZone | string {
  const fits = northing >= BAND_S.from && northing <= BAND_S.to
  if (areBands)
    return fits
      ? { ...zone, side: 'N' }
      : `the northing ${northing} is not in band S, and the other letters of zones are bands of latitude: correct the one that is wrong`
  if (!fits || isSouth) return zone
  return `"${zone.zone}S" can be band S in the north or the southern hemisphere: write ${zone.zone}N if S is the band, or name the southern system with crs=EPSG:n`
}
