import type { Operation } from './proj/operations.ts'
import type { System } from './proj/systems.ts'

/**
 * Projection methods that PROJ 9.8.1 computes differently from IOGP Guidance Note 7-2 (373-7-2): the error, and which system
 * to use instead.
 */
const METHODS: Record<string, string> = {
  // Method 9803 rotates the meridians by 29.2985", which PROJ omits.
  'Lambert Conic Conformal (2SP Belgium)':
    'PROJ computes its projection 745 m off; name EPSG:31370 instead, whose coordinates are the same to 5 cm',
  // Method 9823 is spherical; PROJ uses the ellipsoid.
  'Equidistant Cylindrical (Spherical)':
    'PROJ computes its projection up to 25 km off; export the points as latitude and longitude instead',
}

/** Registered operations that contradict all others for the same place, by some 1,600 m: EPSG:9143. */
const CONTRADICTED = /MGI 1901 to WGS 84 \(14\)/

/** The reason why a system may not be used although PROJ accepts it, or undefined. */
export function unreliableReason({ projection }: System): string | undefined {
  // Counts from 22 degrees south to the west and south; a file's coordinates fit both sides.
  if (/^South West African Survey Grid/.test(projection?.name ?? ''))
    return 'its coordinates are counted from 22° S in both directions, and a file does not say in which; export the points as latitude and longitude instead'
  return METHODS[projection?.method ?? '']
}

/** Distrusts the accuracy of an operation whose registered parameters are wrong. */
export const withoutFalseAccuracy = (operation: Operation): Operation =>
  CONTRADICTED.test(operation.name) ? { ...operation, isBallpark: true, accuracy: null } : operation
