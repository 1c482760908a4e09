import { drawsOf } from './reference/draws.ts'
import type { GltfFile, GltfPrimitive } from './reference/gltf.ts'
import { openPlain } from './reference/plain.ts'
import { movingTargets, poseAt } from './reference/pose.ts'

/** The values that a reader must find in a converted model, computed from the GLB by the reference evaluator. */
export type Expected = {
  meshes: number
  triangles: number
  /** Distinct materials of visible meshes, including glTF's default material. */
  materials: number
  /** The same including the materials of all variants (KHR_materials_variants). */
  materialsOfVariants: number
  /** Distinct joints of the skins of visible meshes: the minimum for a skeleton. */
  joints: number
  /** Distinct morph targets of visible meshes whose weights change, counted for each place of a mesh. */
  blendShapes: number
  /** Smallest x y z, largest x y z in world space; undefined if nothing is visible, or if something can move. */
  bounds: number[] | undefined
}

export async function expectedOf(glb: Uint8Array): Promise<Expected> {
  const file = await openPlain(glb)
  const draws = drawsOf(file)
  const moves =
    file.json.animations?.length || draws.some(({ skin, primitive }) => skin !== undefined || primitive.targets)
  const rest = poseAt(file, undefined, 0)
  const bounds = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
  for (const draw of draws) {
    const corners = draw.cornersIn(rest)
    for (let i = 0; i < corners.length; i++) {
      const axis = i % 3
      bounds[axis] = Math.min(bounds[axis]!, corners[i]!)
      bounds[axis + 3] = Math.max(bounds[axis + 3]!, corners[i]!)
    }
  }
  return {
    meshes: draws.length,
    triangles: draws.reduce((sum, { triangles }) => sum + triangles, 0),
    materials: new Set(draws.map(({ primitive }) => primitive.material)).size,
    materialsOfVariants: new Set(draws.flatMap(({ primitive }) => [primitive.material, ...variantsOf(primitive)])).size,
    joints: jointsOf(file, new Set(draws.flatMap(({ skin }) => skin ?? []))),
    blendShapes: draws.reduce((sum, { primitive, node }) => sum + movingTargets(file, node, primitive), 0),
    bounds: draws.length > 0 && !moves ? bounds : undefined,
  }
}

const variantsOf = ({ extensions }: GltfPrimitive): number[] =>
  extensions?.KHR_materials_variants?.mappings.map(({ material }) => material) ?? []

const jointsOf = ({ json }: GltfFile, skins: ReadonlySet<number>): number =>
  new Set([...skins].flatMap((skin) => json.skins![skin]!.joints)).size

/** Whether two boxes agree to a ten-thousandth of the diagonal of the first. */
export function isSameBox(one: readonly number[], other: readonly number[]): boolean {
  const diagonal = Math.hypot(one[3]! - one[0]!, one[4]! - one[1]!, one[5]! - one[2]!)
  return one.every((value, i) => Math.abs(value - other[i]!) <= 1e-4 * Math.max(diagonal, 1e-6))
}
