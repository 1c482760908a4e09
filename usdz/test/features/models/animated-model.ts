import type { Animation, GLTF, Mesh, Node, Primitive, Skin } from '@gltf-transform/core'
import { type GivenModel, givenModel } from '../../content/models.ts'

export type Interpolation = 'LINEAR' | 'STEP' | 'CUBICSPLINE'
type Path = 'translation' | 'rotation' | 'scale' | 'weights'

/** Returns the quaternion (x y z w) of a rotation in degrees about an axis. */
export function turn(axis: readonly [number, number, number], degrees: number): [number, number, number, number] {
  const half = (degrees * Math.PI) / 360
  const length = Math.hypot(...axis)
  const [x, y, z] = axis.map((value) => (value / length) * Math.sin(half)) as [number, number, number]
  return [x, y, z, Math.cos(half)]
}

/** A builder of animated models: clips, channels, skinned bars and morphed patches from plain numbers. */
export function movingModel() {
  const model = givenModel()
  const clips = new Map<string, Animation>()
  return {
    ...model,

    /** Adds a channel to a clip: `values` has a value a key; for CUBICSPLINE, in-tangent, value and out-tangent a key. */
    move(
      clip: string,
      node: Node,
      path: Path,
      times: readonly number[],
      values: readonly (readonly number[])[],
      interpolation: Interpolation = 'LINEAR',
    ): void {
      const animation = clips.get(clip) ?? model.document.createAnimation(clip)
      clips.set(clip, animation)
      const type = path === 'weights' ? 'SCALAR' : path === 'rotation' ? 'VEC4' : 'VEC3'
      const sampler = model.document
        .createAnimationSampler()
        .setInput(model.accessor('SCALAR', Float32Array.from(times)))
        .setOutput(model.accessor(type, Float32Array.from(values.flat())))
        .setInterpolation(interpolation)
      const channel = model.document
        .createAnimationChannel()
        .setSampler(sampler)
        .setTargetPath(path)
        .setTargetNode(node)
      animation.addSampler(sampler).addChannel(channel)
    },

    /** Keys for every interpolation from the same values; cubic ones get varying tangents. */
    keys(values: readonly (readonly number[])[], interpolation: Interpolation): (readonly number[])[] {
      if (interpolation !== 'CUBICSPLINE') return [...values]
      const swing = (value: readonly number[], by: number) => value.map((_, i) => by * ((i % 3) - 0.8))
      return values.flatMap((value, key) => [swing(value, 0.7 - key), value, swing(value, 0.4 + key)])
    },

    bar: (joints: number, influences?: number) => bar(model, joints, influences),
    patch: (targets: number) => patch(model, targets),
    chain: (count: number, parent?: Node) => chain(model, count, parent),

    /** A skin of joints. Its inverse bind matrices use the present joint positions, unless `bound` is false. */
    skin(joints: readonly Node[], bound = true): Skin {
      const skin = model.document.createSkin()
      for (const joint of joints) skin.addJoint(joint)
      if (!bound) return skin
      const inverses = joints.flatMap((joint) => inverse(joint.getWorldMatrix()))
      return skin.setInverseBindMatrices(model.accessor('MAT4', Float32Array.from(inverses)))
    },

    /** A node with a skinned mesh. */
    body(name: string, mesh: Mesh, skin: Skin, parent?: Node): Node {
      return model.node(name, mesh, parent).setSkin(skin)
    },
  }
}
export type MovingModel = ReturnType<typeof movingModel>

/** A chain of nodes along y, one unit apart. */
function chain(model: GivenModel, count: number, parent?: Node): Node[] {
  const nodes: Node[] = []
  for (let i = 0; i < count; i++) {
    const node = model.node(`Joint ${i}`, undefined, nodes.at(-1) ?? parent)
    nodes.push(node.setTranslation([0, i === 0 ? 0 : 1, 0]))
  }
  return nodes
}

/**
 * A bar along y from 0 to the number of joints, two vertices a quarter unit, moved by the nearest `influences` joints (2 by
 * default): more than four need a second set of joints and weights.
 */
function bar(model: GivenModel, joints: number, influences = 2): Primitive {
  const rows = joints * 4 + 1
  const points: number[] = []
  const sets = Math.ceil(influences / 4)
  const jointRows: number[][] = Array.from({ length: sets }, () => [])
  const weightRows: number[][] = Array.from({ length: sets }, () => [])
  for (let row = 0; row < rows; row++) {
    const y = row / 4
    const nearness = Array.from({ length: joints }, (_, joint) => ({
      joint,
      near: 1 / (0.3 + Math.abs(y - joint)) ** 2,
    }))
    const nearest = nearness.sort((one, other) => other.near - one.near).slice(0, influences)
    const sum = nearest.reduce((total, { near }) => total + near, 0)
    for (const x of [-0.3, 0.3]) {
      points.push(x, y, 0.1 * Math.sin(row))
      for (let slot = 0; slot < sets * 4; slot++) {
        const one = nearest[slot]
        jointRows[slot >> 2]!.push(one?.joint ?? 0)
        weightRows[slot >> 2]!.push(one ? one.near / sum : 0)
      }
    }
  }
  const indices = Array.from({ length: rows - 1 }, (_, i) => [0, 1, 3, 0, 3, 2].map((k) => 2 * i + k)).flat()
  const made = model.primitive(
    { POSITION: { type: 'VEC3', array: Float32Array.from(points) } },
    Uint16Array.from(indices),
  )
  for (let set = 0; set < sets; set++) {
    made.setAttribute(`JOINTS_${set}`, model.accessor('VEC4', Uint8Array.from(jointRows[set]!)))
    made.setAttribute(`WEIGHTS_${set}`, model.accessor('VEC4', Float32Array.from(weightRows[set]!)))
  }
  return made
}

/** A patch of 5 × 5 vertices in the plane z = 0 with normals; each target is a bump at another place. */
function patch(model: GivenModel, targets: number): Primitive {
  const places = Array.from({ length: 25 }, (_, i) => [(i % 5) / 4, Math.floor(i / 5) / 4] as const)
  const points = places.flatMap(([x, y]) => [x, y, 0])
  const cells = Array.from({ length: 16 }, (_, i) => (i % 4) + 5 * Math.floor(i / 4))
  const indices = cells.flatMap((at) => [at, at + 1, at + 6, at, at + 6, at + 5])
  const attributes: Record<string, { type: GLTF.AccessorType; array: Float32Array }> = {
    POSITION: { type: 'VEC3', array: Float32Array.from(points) },
    NORMAL: { type: 'VEC3', array: Float32Array.from(places.flatMap(() => [0, 0, 1])) },
  }
  const made = model.primitive(attributes, Uint16Array.from(indices))
  for (let target = 0; target < targets; target++) {
    const bump = places.flatMap(([x, y]) => {
      const high = Math.max(0, 0.5 - Math.hypot(x - target / Math.max(1, targets - 1), y - 0.5))
      return [0.2 * high, 0, high]
    })
    const lean = places.flatMap(([x]) => [0.3 * (x - 0.5), 0, -0.1])
    made.addTarget(
      model.document
        .createPrimitiveTarget(`Bump ${target}`)
        .setAttribute('POSITION', model.accessor('VEC3', Float32Array.from(bump)))
        .setAttribute('NORMAL', model.accessor('VEC3', Float32Array.from(lean))),
    )
  }
  return made
}

/** The inverse of a matrix of translation, rotation and scale, in column-major order. */
function inverse(m: readonly number[]): number[] {
  const column = (at: number) => m.slice(at * 4, at * 4 + 3) as [number, number, number]
  const cross = (a: number[], b: number[]) =>
    [0, 1, 2].map((i) => a[(i + 1) % 3]! * b[(i + 2) % 3]! - a[(i + 2) % 3]! * b[(i + 1) % 3]!)
  const dot = (a: number[], b: number[]) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!
  const [a, b, c, move] = [column(0), column(1), column(2), column(3)]
  const determinant = dot(a, cross(b, c))
  const rows = [cross(b, c), cross(c, a), cross(a, b)].map((row) => row.map((value) => value / determinant))
  return [0, 1, 2]
    .flatMap((i) => [rows[0]![i]!, rows[1]![i]!, rows[2]![i]!, 0])
    .concat(
      rows.map((row) => -dot(row, move)),
      1,
    )
}
