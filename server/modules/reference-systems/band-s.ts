import type { Crs } from './crs.ts'

/** The zones of UTM that have land between 50° and 58° south: America and its islands, and islands further on. */
const southernLand = [18, 19, 20, 21, 24, 25, 26, 31, 43, 57, 58, 59]

/**
 * Whether a point lies in the open sea of the south because `UTM 30S` meant the band S of latitude, 32° to 40° north: the
 * northings of both are the same.
 */
export function isBandS(latitude: number, crs: Crs | undefined): boolean {
  if (!(latitude > -58.3 && latitude < -50.2)) return false
  const zone = Number(/^EPSG:327(\d\d)$/.exec(crs?.name ?? '')?.[1])
  return zone > 0 && !southernLand.includes(zone)
}
