import type { Contents, Layer, Prim, Property } from '../prim.ts'
import type { Tokens } from './tokens.ts'

/**
 * One path of a layer. Paths are in depth-first order: a prim, its properties, its variant sets with their variants,
 * its children. A variant set and its variants are siblings below the prim.
 */
export type PathNode = { name: string; isProperty: boolean; children: readonly PathNode[] }

const none: readonly PathNode[] = []

/** Builds the tree of all paths of a layer. */
export function pathTree(layer: Layer): PathNode {
  const inside = (name: string, { properties, children, variantSets = [] }: Contents): PathNode => ({
    name,
    isProperty: false,
    children: [
      ...properties.map((property) => ({ name: property.name, isProperty: true, children: none })),
      ...variantSets.flatMap((set) => [
        { name: variantElement(set.name), isProperty: false, children: none },
        ...set.variants.map((variant) => inside(variantElement(set.name, variant.name), variant)),
      ]),
      ...children.map((child) => inside(child.name, child)),
    ],
  })
  const tree = inside('', { properties: [], children: layer.prims })
  return { ...tree, children: [...tree.children, ...(layer.otherPaths ?? []).map(branchOf)] }
}

/** The names on the way to a path. */
const namesIn = (path: string): string[] => path.split(/[/.]/).slice(1)

/** The tree of a path alone. */
function branchOf(path: string): PathNode {
  const [last, ...above] = namesIn(path).reverse()
  const end: PathNode = { name: last!, isProperty: path.includes('.'), children: none }
  return above.reduce((child, name) => ({ name, isProperty: false, children: [child] }), end)
}

/** The path element of a variant set or a variant. */
const variantElement = (set: string, variant = '') => `{${set}=${variant}}`

/**
 * Returns the number (the depth-first position) of each path that a property targets. The text of other paths is never
 * built: large layers have hundreds of thousands.
 */
export function targetNumbers(layer: Layer): Map<string, number> {
  const targets = new Set<string>()
  for (const prim of layer.prims) collectTargets(prim, targets)

  const targetedPrims = new Set([...targets].map((target) => target.split('.', 1)[0]!))
  const numbers = new Map<string, number>()
  let next = 1 // The root of all paths is number 0.
  const visit = (prim: Prim, parent: string) => {
    const path = `${parent}/${prim.name}`
    const first = next
    next += 1 + prim.properties.length
    if (targetedPrims.has(path)) {
      numbers.set(path, first)
      for (const [index, { name }] of prim.properties.entries()) numbers.set(`${path}.${name}`, first + 1 + index)
    }
    for (const { variants } of prim.variantSets ?? []) {
      next++
      for (const variant of variants) next += countPaths(variant)
    }
    for (const child of prim.children) visit(child, path)
  }
  for (const prim of layer.prims) visit(prim, '')
  for (const path of layer.otherPaths ?? []) {
    next += namesIn(path).length
    numbers.set(path, next - 1)
  }
  return numbers
}

const targetsOf = (property: Property): readonly string[] =>
  property.kind === 'relationship' ? property.targets : property.connection ? [property.connection] : []

function collectTargets({ properties, children, variantSets = [] }: Contents, targets: Set<string>) {
  for (const property of properties) for (const target of targetsOf(property)) targets.add(target)
  for (const { variants } of variantSets) for (const variant of variants) collectTargets(variant, targets)
  for (const child of children) collectTargets(child, targets)
}

/** Counts the paths of a variant or a prim with all descendants. Nothing targets them. */
function countPaths({ properties, children, variantSets = [] }: Contents): number {
  let count = 1 + properties.length
  for (const { variants } of variantSets) {
    count++
    for (const variant of variants) count += countPaths(variant)
  }
  for (const child of children) count += countPaths(child)
  return count
}

/** The three path lists of a crate file, in depth-first order. */
export type PathTable = { indices: number[]; elements: number[]; jumps: number[] }

const leaf = -2
const onlyChild = -1
const onlySibling = 0

/**
 * Encodes each path as its name token (negated for properties) and a jump: the path is followed by a child, a sibling,
 * or both, in which case the number is the distance to the sibling. Source: OpenUSD crateFile.cpp,
 * _BuildCompressedPathData.
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
