import { walkIntegers } from '../reader/read-arrays.ts'
import type { Crate, Rep } from '../reader/read-crate.ts'
import { floatsOf, lengthOf, numberOf, textOf } from '../reader/read-values.ts'
import type { Stage, StagePrim } from '../reader/stage.ts'
import type { Report } from './rules.ts'

/** A summary of an array of integers. */
type IntegerFacts = { count: number; sum: number; smallest: number; largest: number }
type Box = readonly number[]

/** Summarises arrays that meshes share, each once. */
export function arrayFacts(crate: Crate) {
  const integers = new Map<string, IntegerFacts>()
  const boxes = new Map<string, Box>()
  const keyOf = (rep: Rep) => `${rep.code} ${rep.payload}`
  return {
    integers(rep: Rep | undefined): IntegerFacts {
      if (!rep?.array) return { count: 0, sum: 0, smallest: 0, largest: -1 }
      const known = integers.get(keyOf(rep))
      if (known) return known
      const facts = factsOf(crate, rep)
      integers.set(keyOf(rep), facts)
      return facts
    },
    /** Returns the smallest and largest x y z of an array of points. */
    box(rep: Rep): Box {
      const known = boxes.get(keyOf(rep)) ?? boxOf(floatsOf(crate, rep))
      boxes.set(keyOf(rep), known)
      return known
    },
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
export function checkMeshes(stage: Stage, facts: ArrayFacts, report: Report): void {
  for (const prim of stage.prims) {
    if (prim.type !== 'Mesh' || prim.base) continue
    const faces = checkFaces(stage.crate, prim, facts, report)
    if (faces) checkPrimvars(stage.crate, prim, faces, report)
    checkExtent(stage.crate, prim, facts, report)
  }
}

type Faces = { points: number; faces: number; corners: number }

function checkFaces(crate: Crate, prim: StagePrim, facts: ArrayFacts, report: Report): Faces | undefined {
  const rule = 'Mesh'
  const value = (name: string) => prim.properties.get(name)?.value
  const points = lengthOf(crate, value('points')) ?? 0
  const counts = facts.integers(value('faceVertexCounts'))
  const indices = facts.integers(value('faceVertexIndices'))
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
function checkPrimvars(crate: Crate, prim: StagePrim, { points, faces, corners }: Faces, report: Report): void {
  const wanted = { constant: 1, uniform: faces, vertex: points, varying: points, faceVarying: corners }
  for (const [name, property] of prim.own) {
    const isData = name === 'normals' || (name.startsWith('primvars:') && !name.endsWith(':indices'))
    const { value, fields } = property
    if (!isData || property.isRelationship || !value?.array) continue
    const standard = name === 'normals' ? 'vertex' : 'constant'
    const interpolation = textOf(crate, fields.get('interpolation')) ?? standard
    const elements = wanted[interpolation as keyof typeof wanted]
    const size = numberOf(crate, fields.get('elementSize')) ?? 1
    const indices = lengthOf(crate, prim.own.get(`${name}:indices`)?.value)
    const length = indices === undefined ? lengthOf(crate, value)! / size : indices
    // An array of any length is a valid constant.
    if (interpolation === 'constant' || elements === length) continue
    report(
      'Mesh',
      `${property.path} (${interpolation}) has ${length} elements where the mesh needs ${elements ?? 'none'}.`,
    )
  }
}

function checkExtent(crate: Crate, prim: StagePrim, facts: ArrayFacts, report: Report): void {
  const points = prim.properties.get('points')?.value
  const extent = prim.properties.get('extent')
  const numbers = extent?.value && floatsOf(crate, extent.value)
  if (numbers?.length !== 6) {
    report('Extent', `${prim.path} has no extent.`)
    return
  }
  const box = [...numbers]
  if (!(box[0]! <= box[3]! && box[1]! <= box[4]! && box[2]! <= box[5]!)) {
    report('Extent', `${prim.path} has an extent whose minimum exceeds its maximum.`)
    return
  }
  if (!points) return
  // The extent of a deforming mesh may be larger than its points at rest.
  const own = facts.box(points)
  const slack = 1e-5 * Math.max(...box.map(Math.abs), 1e-30)
  const holds = [0, 1, 2].every((i) => own[i]! >= box[i]! - slack && own[i + 3]! <= box[i + 3]! + slack)
  if (!holds) report('Extent', `${prim.path} has points outside its extent.`)
}
