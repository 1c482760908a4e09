import type { Buffer as GltfBuffer, Mesh, Node } from '@gltf-transform/core'
import { tooLarge } from '../errors.ts'
import type { StagePrim } from '../layers/stage.ts'
import type { Limits } from '../options/options.ts'
import type { ComposedStage } from '../stage/compose-stage.ts'
import { inheritedPrimvars } from '../stage/inheritance.ts'
import { type PrimOpinion, storedValues, type UsdPrim, values } from '../stage/usd-prim.ts'
import { blendShapeReader, offsetBudget } from './geometry/blend-shapes.ts'
import { readInfluences } from './geometry/influences.ts'
import { readMesh } from './geometry/mesh-shape.ts'
import { primitiveOf } from './geometry/mesh-writer.ts'
import type { partMaterials } from './materials/part-materials.ts'
import type { Placing } from './motion/place-node.ts'
import { skeletonWriter } from './motion/skeletons.ts'
import { extrasOf, nameOf } from './names.ts'
import type { WrittenNodes } from './scene-writer.ts'

type Made = { mesh: Mesh; shapes: readonly string[]; triangles: number }

/** Meshes with the same values are instances of one: so many times the triangles may be drawn. */
const maxInstances = 10
/** The largest numbers of primitives and of their morph targets: those of a GLB that becomes a USDZ. */
const maxPrimitives = 25_000
const maxTargets = 20_000

/** Writes the meshes of a scene to its nodes. @returns the number of triangles. */
export async function writeMeshes(
  stage: ComposedStage,
  { scene, nodeOf, meshes }: WrittenNodes,
  placing: Placing,
  buffer: GltfBuffer,
  materials: ReturnType<typeof partMaterials>,
  limits: Limits,
): Promise<number> {
  const { document, notes } = placing
  const skeletons = skeletonWriter(stage, buffer, placing, nodeOf)
  const shapesOf = blendShapeReader(stage, notes)
  const spendOffsets = offsetBudget()
  const known = new Map<string, Made | undefined>()
  let [triangles, drawn, primitives, targets] = [0, 0, 0, 0]

  const make = async (prim: UsdPrim, joints: number): Promise<Made | undefined> => {
    const shape = readMesh(prim, limits.triangles - triangles, notes)
    if (!shape || shape.sets.length === 0) return undefined
    const pointCount = shape.points.length / 3
    const influences = joints > 0 ? readInfluences(prim, pointCount, joints, notes) : undefined
    primitives += shape.sets.length
    targets += shape.sets.length * values.tokens(prim, 'skel:blendShapes').length
    if (primitives > maxPrimitives) throw tooLarge(`The package has more than ${maxPrimitives} meshes and subsets.`)
    if (targets > maxTargets)
      throw tooLarge(`The package has more than ${maxTargets} blend shapes of meshes and subsets.`)
    const shapes = shapesOf(prim, pointCount)
    const mesh = document.createMesh(nameOf(prim)).setExtras(extrasOf(prim))
    let own = 0
    for (const set of shape.sets) {
      const all = await materials.write(prim, set.subset, shape)
      const { shown } = all
      const deformation = { influences, shapes, spendOffsets }
      const { primitive, missing } = primitiveOf(document, buffer, shape, set, shown, deformation)
      if (missing > 0)
        notes.changed('texture_coordinates', 'Textures of meshes without coordinates for them show one pixel.')
      if ([...shape.colors.keys()].some((name) => name !== shown.colors?.name)) {
        notes.leftOut('vertex_colors', 'Vertex colours that the material does not show are left out.')
      }
      own += set.triangles.length / 3
      materials.addTo(primitive, all)
      mesh.addPrimitive(primitive)
    }
    if (shapes.length > 0) mesh.setWeights(shapes.map(() => 0))
    triangles += own
    return { mesh, shapes: shapes.map(({ name }) => name), triangles: own }
  }

  for (const prim of meshes) {
    const skin = skeletons.skinOf(prim)
    const joints = skin?.joints ?? 0
    const key = `${joints} ${meshKey(prim, materials)}`
    if (!known.has(key)) known.set(key, await make(prim, joints))
    const made = known.get(key)
    if (!made) continue
    drawn += made.triangles
    if (drawn > limits.triangles * maxInstances) {
      throw tooLarge(`The package draws more than ${limits.triangles * maxInstances} triangles.`)
    }
    const isSkinned = skin !== undefined && made.mesh.listPrimitives()[0]!.getAttribute('JOINTS_0') !== null
    // Joints alone place a skinned mesh.
    const node = isSkinned ? document.createNode(nameOf(prim)).setSkin(skin.skin) : nodeOf(prim)!
    if (isSkinned) scene.addChild(node)
    node.setMesh(made.mesh)
    if (made.shapes.length > 0) writeWeights(node, made.shapes, skeletons.animationOf(prim), placing)
  }
  return triangles
}

function writeWeights(
  node: Node,
  shapes: readonly string[],
  animation: ReturnType<ReturnType<typeof skeletonWriter>['animationOf']>,
  { time, writer }: Placing,
): void {
  const weights = animation?.weightsOf(shapes)
  if (!weights) return
  node.setWeights([...weights.rest])
  if (weights.curve) writer.add(node, 'weights', time.keysOf(weights.curve))
}

/** Properties that do not change the contents of a mesh. */
const ofNode = /^(xformOp|visibility|purpose|extent|skel:(skeleton|animationSource))/

const storedKeys = new WeakMap<StagePrim, string>()

/** A key that is the same for prims of layers that store the same values; '' without any. */
function storedKey(opinion: PrimOpinion): string {
  const known = storedKeys.get(opinion.prim)
  if (known !== undefined) return known
  const key = storedValues(opinion, (name) => !ofNode.test(name))
  storedKeys.set(opinion.prim, key)
  return key
}

/** A key that is the same for meshes with the same stored values, material and parts. */
function meshKey(prim: UsdPrim, materials: ReturnType<typeof partMaterials>): string {
  const valuesIn = ({ opinions }: UsdPrim) => opinions.map(storedKey).filter((key) => key !== '')
  const inherited = [...inheritedPrimvars(prim)]
    .filter(([name]) => !values.has(prim, name))
    .map(([name, owner]) => [name, valuesIn(owner)])
  const subsets = prim.children.filter(({ type }) => type === 'GeomSubset')
  const shapes = values.targets(prim, 'skel:blendShapeTargets')
  return JSON.stringify([
    valuesIn(prim),
    materials.keyOf(prim),
    subsets.map((subset) => [valuesIn(subset), materials.keyOf(subset)]),
    shapes,
    inherited,
  ])
}
