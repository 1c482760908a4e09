import { malformed, tooLarge } from '../../errors.ts'
import type { Notes } from '../../report.ts'
import type { ComposedStage } from '../../stage/compose-stage.ts'
import { areFinite, type UsdPrim, values } from '../../stage/usd-prim.ts'

/** A blend shape: offsets of points and of their normals, three numbers a point. */
export type BlendShape = { name: string; offsets: Float32Array; normalOffsets: Float32Array | undefined }

/** The largest number of offsets of all blend shapes of a package, which are dense in a GLB. */
const maxOffsets = 30_000_000

/** Returns a counter of offsets. @throws ConversionError, from the counter, when they are too many. */
export function offsetBudget(): (count: number) => void {
  let offsets = 0
  return (count) => {
    offsets += count
    if (offsets > maxOffsets) throw tooLarge(`The blend shapes of the package have more than ${maxOffsets} offsets.`)
  }
}

/** Reads the blend shapes of meshes. Source: "UsdSkel schemas" of OpenUSD, BlendShape. */
export function blendShapeReader({ primAt }: ComposedStage, notes: Notes) {
  const spend = offsetBudget()
  const dense = (prim: UsdPrim, name: string, pointCount: number): Float32Array | undefined => {
    const list = values.floats(prim, name)
    if (!list?.length) return undefined
    const points = values.integers(prim, 'pointIndices')
    const count = points?.length ? points.length : pointCount
    if (list.length !== count * 3) throw malformed(`${prim.path} has ${list.length / 3} ${name} for ${count} points.`)
    spend(pointCount * 3)
    const out = new Float32Array(pointCount * 3)
    for (let i = 0; i < count; i++) {
      const point = points?.length ? points[i]! : i
      if (!(point >= 0 && point < pointCount))
        throw malformed(`${prim.path} moves the point ${point} of ${pointCount}.`)
      for (let k = 0; k < 3; k++) out[point * 3 + k] = list[i * 3 + k]!
    }
    if (!areFinite(out)) throw malformed(`${prim.path} has ${name} that are not finite numbers.`)
    return out
  }
  return (mesh: UsdPrim, pointCount: number): BlendShape[] => {
    const names = values.tokens(mesh, 'skel:blendShapes')
    const targets = values.targets(mesh, 'skel:blendShapeTargets').map(primAt)
    return names.flatMap((name, index) => {
      const prim = targets[index]
      if (prim?.type !== 'BlendShape') {
        notes.leftOut('blend_shape', 'Blend shapes that are not in the package are left out.')
        return []
      }
      if ([...values.names(prim)].some((key) => key.startsWith('inbetweens:'))) {
        notes.leftOut('blend_shape', 'Shapes between those of a blend shape are left out.')
      }
      const offsets = dense(prim, 'offsets', pointCount)
      if (!offsets) spend(pointCount * 3)
      const normalOffsets = dense(prim, 'normalOffsets', pointCount)
      return [{ name, offsets: offsets ?? new Float32Array(pointCount * 3), normalOffsets }]
    })
  }
}
