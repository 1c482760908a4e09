import type { Crs } from '../../../../reference-systems/crs.ts'

/** A zone of UTM in a cell; its name, `UTM 33N`, if the hemisphere is known. */
export type UtmZone = { zone: number; name: string | undefined }

/**
 * The zone of UTM in a cell, `33N`, `33U` or `33`, with the letter of another cell: a hemisphere or a band of latitude.
 * S is the southern hemisphere. Undefined for other texts.
 */
export function utmZoneIn(cell: string, side: string): UtmZone | undefined {
  const found = /^(\d{1,2}) ?([C-HJ-NP-X])?$/i.exec(cell)
  if (!found) return undefined
  const letter = (found[2] ?? side.charAt(0)).toUpperCase()
  const zone = Number(found[1])
  return { zone, name: letter === '' ? undefined : `UTM ${zone}${letter === 'S' || letter < 'N' ? 'S' : 'N'}` }
}

/** Why the zone of a row cannot be used with the system of the file. */
export const unfitZone = (cell: string, { zone, name }: UtmZone, crs: Crs | undefined): string =>
  name === undefined && !crs
    ? `"${cell}" is a zone of UTM without its hemisphere: write ${zone}N or ${zone}S, or add a column Hemisphere with N or S`
    : `the row is in zone "${cell}", but the file or crs= names ${crs?.name}: name the system of the row as EPSG:n`
