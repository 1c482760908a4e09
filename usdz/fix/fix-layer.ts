import { readCrate } from '../layers/read-crate.ts'
import { floatsOf, numberOf, samplesOf, textOf, tokensOf } from '../layers/read-values.ts'
import { buildStage, type Stage, type StagePrim } from '../layers/stage.ts'
import { legalName } from '../scene/prim-names.ts'
import { specType } from '../usd/crate/specs.ts'
import { type CrateEditor, crateEditor } from './crate-editor.ts'
import { boxAround, counted } from './extents.ts'
import { missingMetadata } from './metadata.ts'

type Fix = (stage: Stage, editor: CrateEditor) => string[]

/** What a layer is in its package: only the root layer has stage metadata, and other layers may use names of one. */
export type LayerRole = { isRoot: boolean; isOnly: boolean }

/**
 * Repairs what can be repaired in a binary layer without changing what it shows: stage metadata, names, applied schemas,
 * extents, and the paths of files that are renamed.
 * @param renamed the new path of each renamed file, as the layer names it.
 * @returns the layer, and a sentence for each repair; the same bytes if there is none.
 * @throws Error when the layer cannot be read.
 */
export function fixLayer(data: Uint8Array, { isRoot, isOnly }: LayerRole, renamed: ReadonlyMap<string, string>) {
  const stage = buildStage(readCrate(data))
  const editor = crateEditor(stage.crate)
  const paths: Fix = () => {
    for (const [from, to] of renamed) editor.rename(from, to)
    return []
  }
  // Names last: the others find texts by their present names.
  const all = [...(isRoot ? [fixMetadata] : []), fixBindings, fixExtents, paths, ...(isOnly ? [fixNames] : [])]
  const fixes = all.flatMap((fix) => fix(stage, editor))
  return { data: fixes.length > 0 || renamed.size > 0 ? editor.finish() : data, fixes }
}

const fixMetadata: Fix = ({ crate, metadata, tops }, editor) => {
  const root = crate.paths.order[0]!
  const given = (name: string) => {
    const rep = metadata.get(name)
    return textOf(crate, rep) ?? numberOf(crate, rep) ?? rep
  }
  const missing = missingMetadata(
    given,
    tops.map(({ name }) => name),
  )
  for (const { name, value } of missing) {
    editor.set(root, name, typeof value === 'number' ? editor.double(value) : editor.token(value))
  }
  return missing.map(({ sentence }) => sentence)
}

const fixBindings: Fix = ({ crate, prims }, editor) => {
  const schema = 'MaterialBindingAPI'
  const unapplied = prims.filter(
    (prim) =>
      !prim.apiSchemas.includes(schema) &&
      [...prim.own.values()].some(({ isRelationship, name }) => isRelationship && /^material:binding(:|$)/.test(name)),
  )
  for (const prim of unapplied) {
    const known = tokensOf(crate, prim.fields.get('apiSchemas'))
    editor.set(prim.number, 'apiSchemas', editor.prepended([...known, schema]))
  }
  return unapplied.length > 0 ? [`${schema} is applied to ${counted(unapplied.length, 'prim')} with a material.`] : []
}

const fixExtents: Fix = (stage, editor) => {
  const { paths, specs } = stage.crate
  const defined = new Set(specs.filter(({ type }) => type === specType.prim).map(({ pathNumber }) => pathNumber))
  const extents = new Map<number, number>()
  for (const { pathNumber } of specs) {
    if (paths.name(pathNumber) === 'extent') extents.set(paths.parent(pathNumber), pathNumber)
  }
  let fixed = 0
  for (const prim of stage.prims) {
    if (prim.type !== 'Mesh' || prim.base || !defined.has(prim.number)) continue
    const box = boxOf(stage, prim)
    const extent = prim.own.get('extent')
    if (!box || (extent && holds(floatsOf(stage.crate, extent.value), box))) continue
    fixed++
    const value = editor.vectors(box)
    const known = extents.get(prim.number)
    if (known !== undefined) {
      editor.set(known, 'default', value)
      continue
    }
    editor.addAttribute(prim.number, 'extent', { typeName: editor.token('float3[]'), default: value })
    editor.set(prim.number, 'properties', editor.names(['extent', ...prim.own.keys()]))
  }
  return fixed > 0 ? [`The extent of ${counted(fixed, 'mesh', 'meshes')} is computed from the points.`] : []
}

/** Returns the box around the points of a mesh at all times; undefined without finite points. */
function boxOf({ crate }: Stage, prim: StagePrim): number[] | undefined {
  const points = prim.own.get('points')
  const reps = [points?.value, ...(points?.samples ? (samplesOf(crate, points.samples)?.values ?? []) : [])]
  return boxAround(reps.map((rep) => floatsOf(crate, rep)).filter((list) => list !== undefined))
}

function holds(extent: ArrayLike<number> | undefined, box: readonly number[]): boolean {
  if (extent?.length !== 6) return false
  const slack = 1e-5 * Math.max(...box.map(Math.abs), 1e-30)
  return [0, 1, 2].every((k) => extent[k]! <= box[k]! + slack && extent[k + 3]! >= box[k + 3]! - slack)
}

const allowed = /^[\p{L}_][\p{L}\p{N}\p{M}_]*(:[\p{L}\p{N}\p{M}_]+)*$/u

const fixNames: Fix = ({ prims }, editor) => {
  const names = new Set<string>()
  for (const prim of prims) {
    if (!allowed.test(prim.name) || prim.name.includes(':')) names.add(prim.name)
    for (const name of prim.own.keys()) if (!allowed.test(name)) names.add(name)
  }
  for (const name of names) {
    const legal = legalName(name, 'Prim')
    let unused = legal
    for (let n = 1; editor.has(unused); n++) unused = `${legal}_${n}`
    editor.rename(name, unused)
  }
  return names.size > 0
    ? [`${counted(names.size, 'name')} that USD does not allow ${names.size > 1 ? 'are' : 'is'} replaced.`]
    : []
}
