import type { Buffer as GltfBuffer, Node, Skin } from '@gltf-transform/core'
import { tooLarge } from '../../errors.ts'
import type { AnimatedValue } from '../../motion/animation/curve.ts'
import { inverse } from '../../motion/math/affine.ts'
import { identity, type Matrix, multiply } from '../../scene/matrix.ts'
import type { ComposedStage } from '../../stage/compose-stage.ts'
import { nearestWith } from '../../stage/inheritance.ts'
import { type UsdPrim, values } from '../../stage/usd-prim.ts'
import { type Placing, placeByNearest, setChannel } from './place-node.ts'
import { type JointMotion, type SkelAnimation, skelAnimationReader } from './skel-animation.ts'

/** A skeleton with a node for each joint. */
type Rig = { places: ReadonlyMap<string, number>; nodes: Node[]; inverses: Matrix[]; skins: Map<string, Skin> }

/** The largest number of joints of all skins: that of a GLB that becomes a USDZ. */
const maxJoints = 200_000
/** Vertices name joints by 16 bits. */
const maxSkinJoints = 65_535

/**
 * Writes skeletons as joint nodes and skins. Source: "UsdSkel schemas" of OpenUSD. A skin has the inverses of the bind
 * transforms of its joints, and with them the bind transform of its mesh.
 * @param nodeOf the node of a prim.
 */
export function skeletonWriter(
  { primAt }: ComposedStage,
  buffer: GltfBuffer,
  placing: Placing,
  nodeOf: (prim: UsdPrim) => Node | undefined,
) {
  const { document, notes } = placing
  const rigs = new Map<string, Rig | undefined>()
  const animationAt = skelAnimationReader(notes)
  const [spendJoints, spendSkinJoints] = [jointBudget('skeletons'), jointBudget('skins')]

  /** The target of a relationship of a prim or of the nearest of its ancestors. */
  const inherited = (prim: UsdPrim | undefined, name: string): UsdPrim | undefined => {
    const owner = nearestWith(prim, name)
    return owner && primAt(values.targets(owner, name)[0] ?? '')
  }
  const skeletonOf = (mesh: UsdPrim): UsdPrim | undefined => {
    const found = inherited(mesh, 'skel:skeleton')
    return found?.type === 'Skeleton' ? found : undefined
  }
  const animationOf = (mesh: UsdPrim): SkelAnimation | undefined => {
    const source = inherited(skeletonOf(mesh), 'skel:animationSource') ?? inherited(mesh, 'skel:animationSource')
    return source?.type === 'SkelAnimation' ? animationAt(source) : undefined
  }

  const build = (skeleton: UsdPrim, animation: SkelAnimation | undefined): Rig | undefined => {
    const joints = values.tokens(skeleton, 'joints')
    spendJoints(joints.length)
    const binds = matricesOf(values.floats(skeleton, 'bindTransforms'))
    const rests = matricesOf(values.floats(skeleton, 'restTransforms'))
    const inverses = binds.map((bind) => inverse(bind)).filter((matrix) => matrix !== undefined)
    const root = nodeOf(skeleton)
    const isWhole = joints.length > 0 && inverses.length === joints.length && new Set(joints).size === joints.length
    if (!isWhole || !root) return undefined
    const places = new Map(joints.map((joint, index) => [joint, index]))
    const nodes = joints.map((joint) => document.createNode(joint.slice(joint.lastIndexOf('/') + 1)))
    for (const [index, joint] of joints.entries()) {
      const above = parentJoint(joint, places)
      const node = nodes[index]!
      ;(above === undefined ? root : nodes[above]!).addChild(node)
      placeJoint(node, rests[index] ?? identity, animation?.joints.get(joint))
    }
    return { places, nodes, inverses, skins: new Map() }
  }
  const placeJoint = (node: Node, rest: Matrix, moved: JointMotion | undefined) => {
    const isWhole = moved?.translation && moved.rotation && moved.scale
    if (!isWhole) placeByNearest(node, rest, notes)
    for (const path of ['translation', 'rotation', 'scale'] as const) {
      const value: AnimatedValue | undefined = moved?.[path]
      if (!value) continue
      setChannel(node, path, value.rest)
      if (value.curve) placing.writer.add(node, path, placing.time.keysOf(value.curve))
    }
  }

  return {
    animationOf,
    /**
     * Returns the skin of a mesh, with the number of its joints; undefined when it has none, or, with a note, one that
     * is incomplete.
     */
    skinOf(mesh: UsdPrim): { skin: Skin; joints: number } | undefined {
      if (!values.has(mesh, 'primvars:skel:jointIndices')) return undefined
      const skeleton = skeletonOf(mesh)
      if (skeleton && !rigs.has(skeleton.path)) rigs.set(skeleton.path, build(skeleton, animationOf(mesh)))
      const rig = skeleton && rigs.get(skeleton.path)
      if (values.text(mesh, 'primvars:skel:skinningMethod') === 'dualQuaternion') {
        notes.changed('skinning_method', 'Skins of dual quaternions are blended linearly.')
      }
      const names = values.tokens(nearestWith(mesh, 'skel:joints') ?? mesh, 'skel:joints')
      const bindName = 'primvars:skel:geomBindTransform'
      const bind = values.vector(nearestWith(mesh, bindName) ?? mesh, bindName) ?? identity
      const key = JSON.stringify([bind, names])
      const known = rig?.skins.get(key)
      if (known) return { skin: known, joints: known.listJoints().length }
      const order =
        rig && (names.length > 0 ? names : [...rig.places.keys()]).map((joint) => rig.places.get(joint) ?? -1)
      if (!rig || !order || order.includes(-1)) {
        notes.leftOut('skin', 'Skins without a whole skeleton are left out: their meshes do not move with joints.')
        return undefined
      }
      if (order.length > maxSkinJoints) throw tooLarge(`${mesh.path} has a skin of more than ${maxSkinJoints} joints.`)
      spendSkinJoints(order.length)
      const inverses = Float32Array.from(order.flatMap((joint) => [...multiply(rig.inverses[joint]!, bind)]))
      const accessor = document.createAccessor().setType('MAT4').setArray(inverses).setBuffer(buffer)
      const skin = document.createSkin(skeleton.name).setInverseBindMatrices(accessor)
      for (const joint of order) skin.addJoint(rig.nodes[joint]!)
      rig.skins.set(key, skin)
      return { skin, joints: order.length }
    },
  }
}

/** Counts joints. @throws ConversionError, from the counter, when they are too many. */
function jointBudget(of: string): (count: number) => void {
  let joints = 0
  return (count) => {
    joints += count
    if (joints > maxJoints) throw tooLarge(`The ${of} of the package have more than ${maxJoints} joints.`)
  }
}

/** The nearest ancestor of a joint that is a joint: "Hip/Leg/Foot" may follow "Hip". */
function parentJoint(joint: string, places: ReadonlyMap<string, number>): number | undefined {
  for (let end = joint.lastIndexOf('/'); end > 0; end = joint.lastIndexOf('/', end - 1)) {
    const place = places.get(joint.slice(0, end))
    if (place !== undefined) return place
  }
  return undefined
}

function matricesOf(values: ArrayLike<number> | undefined): Matrix[] {
  const list = Array.from(values ?? [])
  if (!list.every(Number.isFinite)) return []
  return Array.from({ length: Math.floor(list.length / 16) }, (_, i) => list.slice(i * 16, i * 16 + 16))
}
