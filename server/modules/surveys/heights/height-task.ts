import { loadCrsTable } from '../../reference-systems/crs.ts'
import type { HeightAnswer, HeightTask } from '../process/survey-tasks.ts'

/**
 * Resolves a height reference, and converts a height to the ellipsoid if a place is given. Loads PROJ: runs in a
 * sandboxed process.
 */
export async function heightOf({ datum: text, at }: HeightTask): Promise<HeightAnswer> {
  const table = await loadCrsTable()
  try {
    const datum = table.heights.find(text)
    if (typeof datum === 'string') return { refusal: datum }
    const found = at && table.heights.aboveEllipsoid(datum, at.latitude, at.longitude, at.altitude)
    if (!found) return { datum: datum.name, h: null, transformation: null }
    const { name: operation, accuracy } = found.operation
    return { datum: datum.name, h: found.h, transformation: { operation, accuracy } }
  } finally {
    table.close()
  }
}
