import type { Crs } from './crs.ts'

/** UTM zones with land between 50° and 58° south: America and its islands, and other islands. */
const southernLand = [18, 19, 20, 21, 24, 25, 26, 31, 43, 57, 58, 59]

/**
 * Whether a point is in the southern ocean because `UTM 30S` meant latitude band S, 32° to 40° north: both have the same
 * northings.
 */
export function isBandS(latitude: number, crs: Crs | undefined): boolean {
  if (!(latitude > -58.3 && latitude < -50.2)) return false
  const zone = Number(/^EPSG:327(\d\d)$/.exec(crs?.name ?? '')?.[1])
  return zone > 0 && !southernLand.includes(zone)
}
