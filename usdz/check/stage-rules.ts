import { lengthOf, numberOf, textOf } from './read-values.ts'
import type { Stage, StagePrim } from './stage.ts'

/** A rule that is broken, under the name the checker of OpenUSD has for it where there is one. */
export type Problem = { rule: string; message: string }

const gprims = new Set(['Mesh', 'Sphere', 'Cube', 'Cylinder', 'Cone', 'Capsule', 'Points'])
const skeletal = ['SkelRoot', 'Skeleton', 'SkelAnimation', 'BlendShape']
const others = ['', 'Scope', 'Xform', 'Camera', 'Shader', 'Material', 'GeomSubset', 'SpatialAudio']
const allowedTypes = new Set([...gprims, ...skeletal, ...others])

/** What AR viewers take for granted of a stage. Source: `usdchecker --arkit` of OpenUSD (complianceChecker.py). */
export function stageProblems(stage: Stage): Problem[] {
  const problems: Problem[] = []
  const report = (rule: string, message: string) => problems.push({ rule, message })
  checkMetadata(stage, report)
  for (const prim of stage.prims.values()) {
    if (!allowedTypes.has(prim.type)) report('ARKitPrimTypeChecker', `${prim.path} is a ${prim.type}.`)
    checkNesting(stage, prim, report)
    checkBinding(stage, prim, report)
    if (prim.type === 'Mesh') checkMesh(stage, prim, report)
  }
  return problems
}

type Report = (rule: string, message: string) => void

function checkMetadata({ crate, metadata, prims }: Stage, report: Report): void {
  const rule = 'StageMetadataChecker'
  const upAxis = textOf(crate, metadata.get('upAxis'))
  if (upAxis !== 'Y') report(rule, `upAxis is ${upAxis ?? 'not set'}, not Y.`)
  if (!(numberOf(crate, metadata.get('metersPerUnit'))! > 0)) report(rule, 'metersPerUnit is not set.')
  const defaultPrim = textOf(crate, metadata.get('defaultPrim'))
  if (!defaultPrim || !prims.has(`/${defaultPrim}`)) report(rule, 'defaultPrim does not name a prim.')
}

function checkNesting({ prims }: Stage, { path, type, parent }: StagePrim, report: Report): void {
  const rule = 'PrimEncapsulationChecker'
  const parentType = prims.get(parent)?.type ?? ''
  if (gprims.has(type)) {
    for (let above = parent; above !== '/'; above = prims.get(above)?.parent ?? '/') {
      if (gprims.has(prims.get(above)?.type ?? '')) report(rule, `${path} is a ${type} below another, ${above}.`)
    }
  }
  if (type === 'Shader' && parentType !== 'Material') report(rule, `The shader ${path} is not in a Material.`)
  if (type === 'Scope' && parentType === 'Material') report(rule, `${path} is a Scope in a Material.`)
}

function checkBinding({ prims }: Stage, prim: StagePrim, report: Report): void {
  const binding = prim.properties.get('material:binding')
  if (!binding) return
  if (!prim.apiSchemas.includes('MaterialBindingAPI')) {
    report('MaterialBindingAPIAppliedChecker', `${prim.path} binds a material without MaterialBindingAPI.`)
  }
  for (const target of binding.targets) {
    if (prims.get(target)?.type !== 'Material') {
      report('ARKitMaterialBindingChecker', `${prim.path} is bound to ${target}, which is no Material.`)
    }
  }
}

function checkMesh({ crate }: Stage, { path, properties }: StagePrim, report: Report): void {
  const rule = 'MeshChecker'
  const length = (name: string) => lengthOf(crate, properties.get(name)?.value)
  const points = length('points')
  if (!points || !length('faceVertexCounts') || !length('faceVertexIndices')) report(rule, `${path} draws nothing.`)
  if (length('extent') !== 2) report(rule, `${path} has no extent.`)
  for (const [name, property] of properties) {
    const isVertex = name === 'normals' || name.startsWith('primvars:')
    const count = isVertex ? lengthOf(crate, property.value) : undefined
    if (count !== undefined && count > 1 && count !== points && count !== length('faceVertexIndices')) {
      report(rule, `${path} has ${points} points but ${count} values of ${name}.`)
    }
  }
}
