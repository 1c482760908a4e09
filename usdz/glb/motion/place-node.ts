import type { Document, Node } from '@gltf-transform/core'
import { reduceKeyframes } from '../../motion/animation/keyframe-reduction.ts'
import { linearDeterminant, linearPart, translationPart } from '../../motion/math/affine.ts'
import { multiplyQuaternions, normalize, quaternionFromColumns } from '../../motion/math/quaternion.ts'
import { singularValues } from '../../motion/math/singular-values.ts'
import type { Notes } from '../../report.ts'
import { compose, type Matrix } from '../../scene/matrix.ts'
import type { AnimationWriter } from './animation-writer.ts'
import { denseTimes } from './dense-times.ts'
import { makeContinuous, type StageTime } from './stage-time.ts'
import { matrixAt, plainChannels, type TransformOp } from './transform-curves.ts'

type Parts = { translation: readonly number[]; rotation: readonly number[]; scale: readonly number[] }

/** The largest cosine between two axes that counts as none: matrices of single precision have such. */
const maxCosine = 1e-4

/** Splits a matrix into translation, rotation and scale; undefined when it is sheared or flat. */
function decompose(matrix: Matrix): Parts | undefined {
  const l = linearPart(matrix)
  const lengths = [0, 3, 6].map((k) => Math.hypot(l[k]!, l[k + 1]!, l[k + 2]!))
  const largest = Math.max(...lengths)
  if (!(Math.min(...lengths) > 1e-9 * largest)) return undefined
  const scale = linearDeterminant(l) < 0 ? [-lengths[0]!, lengths[1]!, lengths[2]!] : lengths
  const columns = l.map((value, k) => value / scale[Math.floor(k / 3)]!)
  for (const [p, q] of [
    [0, 3],
    [0, 6],
    [3, 6],
  ] as const) {
    const cosine = [0, 1, 2].reduce((sum, k) => sum + columns[p + k]! * columns[q + k]!, 0)
    if (Math.abs(cosine) > maxCosine) return undefined
  }
  return { translation: translationPart(matrix), rotation: quaternionFromColumns(columns), scale }
}

/** What places nodes: the document, the time of the stage, and where animations and notes go. */
export type Placing = { document: Document; time: StageTime; writer: AnimationWriter; notes: Notes }

/**
 * Gives a node the transform of a prim, with its animation. A sheared one needs a second node below: rotation and scale
 * of both express it.
 * @returns the node for what is inside.
 */
export function placeNode(node: Node, ops: readonly TransformOp[], placing: Placing): Node {
  const plain = plainChannels(ops)
  if (plain) {
    for (const [kind, path] of channelPaths) {
      const value = plain.get(kind)
      if (!value) continue
      setChannel(node, path, value.rest)
      if (value.curve) placing.writer.add(node, path, placing.time.keysOf(value.curve))
    }
    return node
  }
  if (ops.some(({ value }) => value.curve)) {
    animateNode(node, ops, placing)
    return node
  }
  return placeByMatrix(node, matrixAt(ops), placing.document)
}

/** Gives a node a matrix. @returns the node for what is inside. */
export function placeByMatrix(node: Node, matrix: Matrix, document: Document): Node {
  const parts = decompose(matrix)
  if (parts) {
    setParts(node, parts)
    return node
  }
  const { outer, scale, inner } = singularValues(linearPart(matrix))
  setParts(node, { translation: translationPart(matrix), rotation: outer, scale })
  const below = document.createNode(`${node.getName()}_shear`)
  below.setRotation([...quaternionFromColumns(inner)])
  node.addChild(below)
  return below
}

/** Gives a node the translation, rotation and scale that are nearest to a matrix, with a note if they differ from it. */
export function placeByNearest(node: Node, matrix: Matrix, notes: Notes): void {
  setParts(node, decompose(matrix) ?? nearestParts(matrix, notes))
}

function setParts(node: Node, parts: Parts): void {
  for (const path of ['translation', 'rotation', 'scale'] as const) setChannel(node, path, parts[path])
}

/** Sets a property of a node at rest. */
export function setChannel(node: Node, path: 'translation' | 'rotation' | 'scale', value: readonly number[]): void {
  if (path === 'rotation') node.setRotation([...normalize(value)])
  else if (path === 'scale') node.setScale([value[0]!, value[1]!, value[2]!])
  else node.setTranslation([value[0]!, value[1]!, value[2]!])
}

/**
 * Animates a node by ops that are not those of glTF: they are sampled once a time code, and reduced to the keys that
 * linear interpolation needs.
 */
function animateNode(node: Node, ops: readonly TransformOp[], { time, writer, notes }: Placing): void {
  placeByNearest(node, matrixAt(ops), notes)
  const times = denseTimes(ops, time)
  time.spend(times.length * 10)
  const tracks = { translation: [] as number[], rotation: [] as number[], scale: [] as number[] }
  for (const at of times) {
    const matrix = matrixAt(ops, at)
    const parts = decompose(matrix) ?? nearestParts(matrix, notes)
    tracks.translation.push(...parts.translation)
    tracks.rotation.push(...parts.rotation)
    tracks.scale.push(...parts.scale)
  }
  makeContinuous(tracks.rotation)
  const seconds = Float32Array.from(times, (at) => (at - time.start) / time.rate)
  for (const path of ['translation', 'rotation', 'scale'] as const) {
    const values = Float32Array.from(tracks[path])
    const size = path === 'rotation' ? 4 : 3
    const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)
    const tolerance = path === 'rotation' ? 1e-5 : Math.max(1e-9, most * 2e-6)
    const limits = { curveTolerance: 0, dropTolerance: tolerance, maxRotation: 2, countKeys: () => {} }
    const reduced = reduceKeyframes({ node, path, interpolation: 'LINEAR', times: seconds, values, size }, limits)
    writer.add(node, path, { times: reduced.times, values: reduced.values.flatMap((value) => [...value]) })
  }
}

const channelPaths = [
  ['translate', 'translation'],
  ['orient', 'rotation'],
  ['scale', 'scale'],
] as const

/** The nearest parts of a sheared or flat matrix (polar decomposition), with a note if they differ from it. */
function nearestParts(matrix: Matrix, notes: Notes): Parts {
  const { outer, scale: values, inner } = singularValues(linearPart(matrix))
  const scale = [0, 1, 2].map((i) => values.reduce((sum, value, k) => sum + inner[i * 3 + k]! ** 2 * value, 0))
  const rotation = multiplyQuaternions(outer, quaternionFromColumns(inner))
  const parts = { translation: translationPart(matrix), rotation, scale }
  const largest = Math.max(...values.map(Math.abs))
  const nearest = compose(parts.translation, rotation, scale)
  if (nearest.some((value, k) => Math.abs(value - matrix[k]!) > 1e-5 * largest)) {
    notes.changed('transform_shear', 'Shears are left out of joints and of animated transforms.')
  }
  return parts
}
