import type { Node } from '@gltf-transform/core'
import { malformed } from '../errors.ts'
import type { Model } from '../read/read-glb.ts'
import { compose, type Matrix, multiply } from './matrix.ts'

/** The local and world matrices of nodes, and their parents. */
export type NodeTransforms = {
  localMatrix(node: Node): Matrix
  worldMatrix(node: Node): Matrix
  parentOf(node: Node): Node | null
}

/**
 * Computes the node transforms of a model. Matrices are taken from the JSON: the reader decomposes them into
 * translation, rotation and scale, which loses shears.
 */
export function nodeTransforms(model: Model): NodeTransforms {
  const given = new Map<Node, unknown>()
  for (const [index, node] of model.document.getRoot().listNodes().entries()) {
    const { matrix } = model.json.nodes[index] ?? {}
    if (matrix !== undefined) given.set(node, matrix)
  }
  const worlds = new Map<Node, Matrix>()
  const parents = new Map<Node, Node>()
  for (const node of model.document.getRoot().listNodes()) {
    for (const child of node.listChildren()) parents.set(child, node)
  }
  const parentOf = (node: Node) => parents.get(node) ?? null

  const localMatrix = (node: Node): Matrix => {
    const matrix = given.get(node) ?? compose(node.getTranslation(), node.getRotation(), node.getScale())
    if (!Array.isArray(matrix) || matrix.length !== 16 || !matrix.every(Number.isFinite)) {
      throw malformed(`The transform of the node "${node.getName()}" holds values that are not finite numbers.`)
    }
    return matrix
  }
  const worldMatrix = (node: Node): Matrix => {
    const known = worlds.get(node)
    if (known) return known
    const parent = parentOf(node)
    const world = parent ? multiply(worldMatrix(parent), localMatrix(node)) : localMatrix(node)
    worlds.set(node, world)
    return world
  }
  return { localMatrix, worldMatrix, parentOf }
}
