import type { CheckedPrim, Subject } from '../subject/subject.ts'
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
export function checkStage(stage: Subject, report: Report): void {
  checkMetadata(stage, report)
  const above = new Map<CheckedPrim, Above>()
  for (const prim of stage.prims) {
    const here = aboveOf(prim, above)
    if (!allowedTypes.has(prim.type) && !prim.type.startsWith('RealityKit'))
      report('ARKitPrimTypeChecker', `${prim.path} is a ${prim.type}.`)
    checkNesting(prim, here, report)
    checkBindings(stage, prim, report)
  }
}

function checkMetadata({ tops, text, number }: Subject, report: Report): void {
  const rule = 'StageMetadataChecker'
  const upAxis = text('upAxis')
  if (upAxis !== 'Y') report(rule, `upAxis is ${upAxis ?? 'not set'}, not Y.`)
  if (!(number('metersPerUnit')! > 0)) report(rule, 'metersPerUnit is not set.')
  const defaultPrim = text('defaultPrim')
  if (!tops.some(({ name }) => name === defaultPrim)) report(rule, 'defaultPrim does not name a top prim.')
}

/** The nearest ancestors of a prim of each kind. */
type Above = { gprim: CheckedPrim | undefined; connectable: CheckedPrim | undefined }

function aboveOf(prim: CheckedPrim, known: Map<CheckedPrim, Above>): Above {
  const { parent } = prim
  const inherited = parent && known.get(parent)
  const here = {
    gprim: parent && gprims.has(parent.type) ? parent : inherited?.gprim,
    connectable: parent && connectables.has(parent.type) ? parent : inherited?.connectable,
  }
  known.set(prim, here)
  return here
}

function checkNesting(prim: CheckedPrim, { gprim, connectable }: Above, report: Report): void {
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

function checkBindings(stage: Subject, prim: CheckedPrim, report: Report): void {
  for (const property of prim.own.values()) {
    if (!property.isRelationship || !/^material:binding(:|$)/.test(property.name)) continue
    const targets = stage.targetsOf(property)
    if (!prim.apiSchemas.includes('MaterialBindingAPI')) {
      report('MaterialBindingAPIAppliedChecker', `${prim.path} binds a material without MaterialBindingAPI.`)
    }
    // A single target is the material; with two, the first is the collection.
    const material = targets.at(-1)
    if (targets.length > 2 || material === undefined) {
      report('ARKitMaterialBindingChecker', `${property.path} has ${targets.length} targets.`)
    } else if (material.prim?.type !== 'Material') {
      report('ARKitMaterialBindingChecker', `${property.path} is bound to ${material.path}, which is not a Material.`)
    }
  }
}
