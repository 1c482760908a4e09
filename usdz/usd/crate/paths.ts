import type { Layer, Prim } from '../prim.ts'
import type { Tokens } from './tokens.ts'

/** One path of a layer; the order of all of them is that of a walk: a prim, its properties, its children. */
export type PathNode = { path: string; name: string; isProperty: boolean; children: PathNode[] }

/** All paths of a layer as a tree. */
export function pathTree(layer: Layer): PathNode {
  const below = (prim: Prim, parent: string): PathNode => {
    const path = `${parent}/${prim.name}`
    const properties = prim.properties.map(({ name }) => ({
      path: `${path}.${name}`,
      name,
      isProperty: true,
      children: [],
    }))
    const children = prim.children.map((child) => below(child, path))
    return { path, name: prim.name, isProperty: false, children: [...properties, ...children] }
  }
  return { path: '/', name: '', isProperty: false, children: layer.prims.map((prim) => below(prim, '')) }
}

/** The number of each path: its place in the walk. */
export function numberPaths(tree: PathNode): Map<string, number> {
  const numbers = new Map<string, number>()
  const visit = (node: PathNode) => {
    numbers.set(node.path, numbers.size)
    for (const child of node.children) visit(child)
  }
  visit(tree)
  return numbers
}

/** The three lists a crate file keeps its paths in, in the order of the walk. */
export type PathTable = { indices: number[]; elements: number[]; jumps: number[] }

const leaf = -2
const onlyChild = -1
const onlySibling = 0

/**
 * Each path as its last name (a property's token number negated) and a jump that says what follows it in the walk: its
 * child, its sibling, or both, then the number is how far the sibling is. Source: OpenUSD crateFile.cpp, _BuildCompressedPathData.
 */
export function pathTable(tree: PathNode, tokens: Tokens): PathTable {
  const table: PathTable = { indices: [], elements: [], jumps: [] }
  const visit = (node: PathNode, hasSibling: boolean) => {
    const at = table.indices.length
    const token = tokens.token(node.name)
    table.indices.push(at)
    table.elements.push(node.isProperty ? -token : token)
    table.jumps.push(hasSibling ? onlySibling : leaf)
    const last = node.children.length - 1
    for (const [index, child] of node.children.entries()) visit(child, index < last)
    if (last >= 0) table.jumps[at] = hasSibling ? table.indices.length - at : onlyChild
  }
  visit(tree, false)
  return table
}
