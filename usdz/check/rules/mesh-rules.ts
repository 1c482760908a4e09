import { walkIntegers } from '../../layers/read-arrays.ts'
import type { Crate, Rep } from '../../layers/read-crate.ts'
import { floatsOf } from '../../layers/read-values.ts'
import { type CheckedPrim, type CheckedProperty, floatsIn, lengthIn, type Subject } from '../subject/subject.ts'
import type { Report } from './rules.ts'

/** A summary of an array of integers. */
type IntegerFacts = { count: number; sum: number; smallest: number; largest: number }
type Box = readonly number[]

/** Summarises arrays that meshes share, each once. */
export function arrayFacts() {
  const integers = once(factsOf)
  const boxes = once((crate, rep) => boxOf(floatsOf(crate, rep)))
  return {
    integers: (property: CheckedProperty | undefined): IntegerFacts =>
      property?.value?.array
        ? integers(property.crate, property.value)
        : { count: 0, sum: 0, smallest: 0, largest: -1 },
    /** Returns the smallest and largest x y z of an array of points. */
    box: ({ crate, value }: CheckedProperty): Box => (value ? boxes(crate, value) : boxOf(undefined)),
  }
}

/** Computes what is known of each array of each file once. */
function once<T>(compute: (crate: Crate, rep: Rep) => T): (crate: Crate, rep: Rep) => T {
  const byCrate = new Map<Crate, Map<string, T>>()
  return (crate, rep) => {
    const known = byCrate.get(crate) ?? new Map<string, T>()
    byCrate.set(crate, known)
    const key = `${rep.code} ${rep.payload}`
    const facts = known.get(key) ?? compute(crate, rep)
    known.set(key, facts)
    return facts
  }
}
export type ArrayFacts = ReturnType<typeof arrayFacts>

function factsOf(crate: Crate, rep: Rep): IntegerFacts {
  let [count, sum, smallest, largest] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  walkIntegers(crate, rep, (block) => {
    let [least, most, total] = [block[0]!, block[0]!, 0]
    for (let i = 0; i < block.length; i++) {
      const value = block[i]!
      total += value
      if (value < least) least = value
      if (value > most) most = value
    }
    count += block.length
    sum += total
    smallest = Math.min(smallest, least)
    largest = Math.max(largest, most)
  })
  return { count, sum, smallest, largest }
}

function boxOf(points: ArrayLike<number> | undefined): Box {
  let [x0, y0, z0] = [Infinity, Infinity, Infinity]
  let [x1, y1, z1] = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; points && i + 2 < points.length; i += 3) {
    const [x, y, z] = [points[i]!, points[i + 1]!, points[i + 2]!]
    if (x < x0) x0 = x
    if (y < y0) y0 = y
    if (z < z0) z0 = z
    if (x > x1) x1 = x
    if (y > y1) y1 = y
    if (z > z1) z1 = z
  }
  return [x0, y0, z0, x1, y1, z1]
}

/** Checks meshes: faces, points, primvars and extents are consistent. Source: UsdGeomMesh of OpenUSD. */
export function checkMeshes({ distinct }: Subject, facts: ArrayFacts, report: Report): void {
  for (const prim of distinct) {
    if (prim.type !== 'Mesh' || prim.base) continue
    const faces = checkFaces(prim, facts, report)
    if (faces) checkPrimvars(prim, faces, report)
    checkExtent(prim, facts, report)
  }
}

type Faces = { points: number; faces: number; corners: number }

function checkFaces(prim: CheckedPrim, facts: ArrayFacts, report: Report): Faces | undefined {
  const rule = 'Mesh'
  const property = (name: string) => prim.properties.get(name)
  const points = lengthIn(property('points')) ?? 0
  const counts = facts.integers(property('faceVertexCounts'))
  const indices = facts.integers(property('faceVertexIndices'))
  if (points === 0 || counts.count === 0 || indices.count === 0) {
    report(rule, `${prim.path} draws nothing.`)
    return undefined
  }
  if (counts.smallest < 3) report(rule, `${prim.path} has a face with ${counts.smallest} corners.`)
  if (counts.sum !== indices.count) report(rule, `${prim.path} has ${counts.sum} corners and ${indices.count} indices.`)
  if (indices.smallest < 0 || indices.largest >= points) {
    const wrong = indices.smallest < 0 ? indices.smallest : indices.largest
    report(rule, `${prim.path} names the point ${wrong} and has ${points}.`)
  }
  return { points, faces: counts.count, corners: indices.count }
}

/** The number of elements for each interpolation. Source: UsdGeomPrimvar of OpenUSD. */
function checkPrimvars(prim: CheckedPrim, { points, faces, corners }: Faces, report: Report): void {
  const wanted = { constant: 1, uniform: faces, vertex: points, varying: points, faceVarying: corners }
  for (const [name, property] of prim.own) {
    const isData = name === 'normals' || (name.startsWith('primvars:') && !name.endsWith(':indices'))
    if (!isData || property.isRelationship || !property.value?.array) continue
    const standard = name === 'normals' ? 'vertex' : 'constant'
    const interpolation = property.text('interpolation') ?? standard
    const elements = wanted[interpolation as keyof typeof wanted]
    const size = property.number('elementSize') ?? 1
    const indices = lengthIn(prim.own.get(`${name}:indices`))
    const length = indices === undefined ? lengthIn(property)! / size : indices
    // An array of any length is a valid constant.
    if (interpolation === 'constant' || elements === length) continue
    report(
      'Mesh',
      `${property.path} (${interpolation}) has ${length} elements where the mesh needs ${elements ?? 'none'}.`,
    )
  }
}

function checkExtent(prim: CheckedPrim, facts: ArrayFacts, report: Report): void {
  const points = prim.properties.get('points')
  const extent = prim.properties.get('extent')
  const numbers = floatsIn(extent)
  if (numbers?.length !== 6) {
    report('Extent', `${prim.path} has no extent.`)
    return
  }
  const box = [...numbers]
  if (!(box[0]! <= box[3]! && box[1]! <= box[4]! && box[2]! <= box[5]!)) {
    report('Extent', `${prim.path} has an extent whose minimum exceeds its maximum.`)
    return
  }
  if (!points?.value) return
  // The extent of a deforming mesh may be larger than its points at rest.
  const own = facts.box(points)
  const slack = 1e-5 * Math.max(...box.map(Math.abs), 1e-30)
  const holds = [0, 1, 2].every((i) => own[i]! >= box[i]! - slack && own[i + 3]! <= box[i + 3]! + slack)
  if (!holds) report('Extent', `${prim.path} has points outside its extent.`)
}
