import { numberOf, textOf } from '../reader/read-values.ts'
import type { Stage, StagePrim } from '../reader/stage.ts'
import type { Report } from './rules.ts'

const gprims = new Set(['Mesh', 'Sphere', 'Cube', 'Cylinder', 'Cone', 'Capsule', 'Points'])
/** Prim types with an extent: shapes and their groups. */
const boundables = new Set([...gprims, 'SkelRoot', 'PointInstancer', 'BasisCurves', 'NurbsPatch'])
const connectables = new Set(['Shader', 'Material', 'NodeGraph'])
const skeletal = ['SkelRoot', 'Skeleton', 'SkelAnimation', 'BlendShape']
const others = ['', 'Scope', 'Xform', 'Camera', 'Shader', 'Material', 'GeomSubset', 'SpatialAudio']
const augmented = ['PhysicsScene', 'Preliminary_ReferenceImage', 'Preliminary_Text', 'Preliminary_Trigger']
const allowedTypes = new Set([...gprims, ...skeletal, ...others, ...augmented])

/**
 * Checks a stage against the assumptions of AR viewers. Source: `usdchecker --arkit` of OpenUSD (complianceChecker.py).
 */
export function checkStage(stage: Stage, report: Report): void {
  checkMetadata(stage, report)
  const above = new Map<StagePrim, Above>()
  for (const prim of stage.prims) {
    const here = aboveOf(prim, above)
    if (!allowedTypes.has(prim.type) && !prim.type.startsWith('RealityKit'))
      report('ARKitPrimTypeChecker', `${prim.path} is a ${prim.type}.`)
    checkNesting(prim, here, report)
    checkBindings(stage, prim, report)
    checkNames(prim, report)
  }
}

function checkMetadata({ crate, metadata, tops }: Stage, report: Report): void {
  const rule = 'StageMetadataChecker'
  const upAxis = textOf(crate, metadata.get('upAxis'))
  if (upAxis !== 'Y') report(rule, `upAxis is ${upAxis ?? 'not set'}, not Y.`)
  if (!(numberOf(crate, metadata.get('metersPerUnit'))! > 0)) report(rule, 'metersPerUnit is not set.')
  const defaultPrim = textOf(crate, metadata.get('defaultPrim'))
  if (!tops.some(({ name }) => name === defaultPrim)) report(rule, 'defaultPrim does not name a top prim.')
}

/** The nearest ancestors of a prim of each kind. */
type Above = { gprim: StagePrim | undefined; connectable: StagePrim | undefined }

function aboveOf(prim: StagePrim, known: Map<StagePrim, Above>): Above {
  const { parent } = prim
  const inherited = parent && known.get(parent)
  const here = {
    gprim: parent && gprims.has(parent.type) ? parent : inherited?.gprim,
    connectable: parent && connectables.has(parent.type) ? parent : inherited?.connectable,
  }
  known.set(prim, here)
  return here
}

function checkNesting(prim: StagePrim, { gprim, connectable }: Above, report: Report): void {
  const rule = 'PrimEncapsulationChecker'
  const { type, parent } = prim
  if (boundables.has(type) && gprim) report(rule, `${prim.path} is a ${type} below another shape, ${gprim.path}.`)
  if (type === 'Scope' && parent?.type === 'Material') report(rule, `${prim.path} is a Scope in a Material.`)
  if (!connectables.has(type)) return
  if (parent?.type === 'Shader') report(rule, `${prim.path} is a ${type} below a Shader.`, 'warning')
  else if (connectable && connectable !== parent) {
    report(rule, `${prim.path} is in ${connectable.path}, but not its direct child: ${parent?.path} is between them.`)
  } else if (type === 'Shader' && !connectable) report(rule, `The shader ${prim.path} is not in a Material.`)
}

function checkBindings(stage: Stage, prim: StagePrim, report: Report): void {
  for (const property of prim.own.values()) {
    if (!property.isRelationship || !/^material:binding(:|$)/.test(property.name)) continue
    const { targets } = property
    if (!prim.apiSchemas.includes('MaterialBindingAPI')) {
      report('MaterialBindingAPIAppliedChecker', `${prim.path} binds a material without MaterialBindingAPI.`)
    }
    // A single target is the material; with two, the first is the collection.
    const material = targets.at(-1)
    if (targets.length > 2 || material === undefined) {
      report('ARKitMaterialBindingChecker', `${property.path} has ${targets.length} targets.`)
    } else if (stage.primAt(material)?.type !== 'Material') {
      const target = stage.crate.paths.text(material)
      report('ARKitMaterialBindingChecker', `${property.path} is bound to ${target}, which is not a Material.`)
    }
  }
}

const primName = /^[\p{L}_][\p{L}\p{N}\p{M}_]*$/u
const propertyName = /^[\p{L}_][\p{L}\p{N}\p{M}_]*(:[\p{L}\p{N}\p{M}_]+)*$/u

function checkNames(prim: StagePrim, report: Report): void {
  if (!primName.test(prim.name)) report('Names', `${prim.path} has a name that is not allowed.`)
  for (const property of prim.own.values()) {
    if (!propertyName.test(property.name)) report('Names', `${property.path} has a name that is not allowed.`)
  }
}
