import { truncate } from '../../surveys/parser/truncate.ts'
import type { Proj } from '../proj/library.ts'
import type { System } from '../proj/systems.ts'
import { type HeightDatum, heightDatumOf, ownDatum } from './datum.ts'

/** The reference of the third coordinate of a system: a geographic system with three axes has ellipsoidal heights. */
export function heightsIn(library: Proj, plane: System, vertical: System | undefined): HeightDatum | undefined {
  if (!vertical) {
    const isThreeDimensional = plane.kind !== 'geocentric' && plane.axes.length === 3
    const ellipsoid = isThreeDimensional ? heightDatumOf(library, 'ellipsoid') : undefined
    return typeof ellipsoid === 'object' ? { ...ellipsoid, unit: plane.axes[2]!.unit } : undefined
  }
  const known = heightDatumOf(library, vertical.id ?? vertical.name)
  const axis = vertical.axes[0]
  const datum = typeof known === 'object' ? known : ownDatum(truncate(vertical.name, 100))
  return { ...datum, unit: axis?.unit ?? 1, isDepth: axis?.direction === 'down' }
}
