import type { Operation } from './proj/operations.ts'
import type { System } from './proj/systems.ts'

/**
 * Methods of projection that PROJ 9.8.1 computes otherwise than IOGP Guidance Note 7-2 (373-7-2) defines them: by how
 * much it is off, and which system to name instead.
 */
const METHODS: Record<string, string> = {
  // Method 9803 turns the meridians by 29.2985", which PROJ leaves out.
  'Lambert Conic Conformal (2SP Belgium)':
    'PROJ computes its projection 745 m off; name EPSG:31370 instead, whose coordinates are the same to 5 cm',
  // Method 9823 is that of a sphere; PROJ takes the ellipsoid.
  'Equidistant Cylindrical (Spherical)':
    'PROJ computes its projection up to 25 km off; export the points as latitude and longitude instead',
}

/** Operations of the register that contradict every other one for the same place, by some 1,600 m: EPSG:9143. */
const CONTRADICTED = /MGI 1901 to WGS 84 \(14\)/

/** Why a system may not be used though PROJ takes it, or undefined. */
export function unreliableReason({ projection }: System): string | undefined {
  // Counted from 22 degrees south, west and south; a file's figures fit the other side as well.
  if (/^South West African Survey Grid/.test(projection?.name ?? ''))
    return 'its figures are counted from 22° S in both directions, and a file does not say in which; export the points as latitude and longitude instead'
  return METHODS[projection?.method ?? '']
}

/** An operation whose parameters are wrong in the register leads nowhere near: nothing may rely on its accuracy. */
export const withoutFalseAccuracy = (operation: Operation): Operation =>
  CONTRADICTED.test(operation.name) ? { ...operation, isBallpark: true, accuracy: null } : operation
