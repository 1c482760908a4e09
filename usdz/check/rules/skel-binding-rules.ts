import { type CheckedPrim, floatsIn, lengthIn, type Subject, tokensIn } from '../subject/subject.ts'
import type { ArrayFacts } from './mesh-rules.ts'
import type { Report } from './rules.ts'

const rule = 'SkelBinding'
/** The number of joint weights that Quick Look uses for each point. */
const mostWeights = 4

/** Checks skeleton bindings: meshes with joints, weights and blend shapes, and skeletons with animations. */
export function checkSkelBindings(stage: Subject, facts: ArrayFacts, report: Report): void {
  const distinct = new Set(stage.distinct)
  const inRoot = new Map<CheckedPrim, boolean>()
  for (const prim of stage.prims) {
    const isBelow = prim.type === 'SkelRoot' || (prim.parent !== undefined && inRoot.get(prim.parent) === true)
    inRoot.set(prim, isBelow)
    if (prim.base || !distinct.has(prim)) continue
    const isBound = [...prim.own.keys()].some((name) => /^(primvars:)?skel:/.test(name))
    if (!isBound) continue
    if (!prim.apiSchemas.includes('SkelBindingAPI')) report(rule, `${prim.path} is bound without SkelBindingAPI.`)
    if (!isBelow) report(rule, `${prim.path} is bound but not below a SkelRoot.`)
    checkTarget(stage, prim, 'skel:skeleton', 'Skeleton', report)
    checkTarget(stage, prim, 'skel:animationSource', 'SkelAnimation', report)
    if (prim.own.has('primvars:skel:jointIndices') || prim.own.has('primvars:skel:jointWeights')) {
      checkInfluences(stage, prim, facts, report)
    }
    if (prim.own.has('skel:blendShapes') || prim.own.has('skel:blendShapeTargets')) {
      checkBlendShapes(stage, prim, facts, report)
    }
  }
}

/** Returns the target prim of a relationship; reports one of the wrong type. */
function checkTarget(
  stage: Subject,
  prim: CheckedPrim,
  name: string,
  type: string,
  report: Report,
): CheckedPrim | undefined {
  const relationship = prim.own.get(name)
  if (!relationship) return undefined
  const found = stage.targetsOf(relationship)[0]?.prim
  if (found?.type !== type) report(rule, `${relationship.path} does not point at a ${type}.`)
  return found?.type === type ? found : undefined
}

/** Returns a binding of the prim or an ancestor. */
function inherited(stage: Subject, prim: CheckedPrim, name: string): CheckedPrim | undefined {
  for (let at: CheckedPrim | undefined = prim; at; at = at.parent) {
    const relationship = at.properties.get(name)
    const [target] = relationship ? stage.targetsOf(relationship) : []
    if (target !== undefined) return target.prim
  }
  return undefined
}

function checkInfluences(stage: Subject, prim: CheckedPrim, facts: ArrayFacts, report: Report): void {
  const skeleton = inherited(stage, prim, 'skel:skeleton')
  if (!skeleton) report(rule, `${prim.path} has joint weights and no skeleton.`)
  else if (!prim.own.has('skel:skeleton')) {
    report(rule, `${prim.path} inherits its skeleton, which Quick Look does not follow.`, 'warning')
  }
  const indices = prim.own.get('primvars:skel:jointIndices')
  const weights = prim.own.get('primvars:skel:jointWeights')
  const count = lengthIn(indices)
  if (!indices?.value || !weights?.value || count !== lengthIn(weights)) {
    report(rule, `${prim.path} has joint indices and weights of different lengths.`)
    return
  }
  const size = indices.number('elementSize') ?? 1
  if (size !== (weights.number('elementSize') ?? 1)) {
    report(rule, `${prim.path} has joint indices and weights of different element sizes.`)
    return
  }
  if (size > mostWeights) report(rule, `${prim.path} has ${size} weights a point, Quick Look uses 4.`, 'warning')
  const isConstant = (indices.text('interpolation') ?? 'constant') === 'constant'
  const elements = isConstant ? 1 : (lengthIn(prim.properties.get('points')) ?? 0)
  if (count !== elements * size) {
    report(rule, `${prim.path} has ${count} joint weights where ${elements} points of ${size} need ${elements * size}.`)
  }
  const joints = tokensIn(prim.own.get('skel:joints') ?? skeleton?.properties.get('joints')).length
  const { smallest, largest } = facts.integers(indices)
  if (smallest < 0 || largest >= joints) {
    report(rule, `${prim.path} names the joint ${smallest < 0 ? smallest : largest} and its skeleton has ${joints}.`)
  }
  checkWeights(prim, floatsIn(weights), size, report)
}

function checkWeights(prim: CheckedPrim, weights: ArrayLike<number> | undefined, size: number, report: Report): void {
  let even = true
  for (let i = 0; weights && i + size <= weights.length; i += size) {
    let sum = 0
    for (let j = i; j < i + size; j++) {
      if (!(weights[j]! >= 0)) {
        report(rule, `${prim.path} has a joint weight of ${weights[j]}.`)
        return
      }
      sum += weights[j]!
    }
    if (Math.abs(sum - 1) > 1e-3) even = false
  }
  if (!even) report(rule, `${prim.path} has joint weights that do not add up to 1.`, 'warning')
}

function checkBlendShapes(stage: Subject, prim: CheckedPrim, facts: ArrayFacts, report: Report): void {
  const names = tokensIn(prim.own.get('skel:blendShapes'))
  const relationship = prim.own.get('skel:blendShapeTargets')
  const targets = relationship ? stage.targetsOf(relationship) : []
  if (names.length !== targets.length) {
    report('BlendShape', `${prim.path} names ${names.length} blend shapes and has ${targets.length}.`)
  }
  const points = lengthIn(prim.properties.get('points')) ?? 0
  for (const target of targets) {
    const shape = target.prim
    if (shape?.type !== 'BlendShape') {
      report('BlendShape', `${prim.path} targets ${target.path}, which is not a BlendShape.`)
      continue
    }
    const length = (name: string) => lengthIn(shape.properties.get(name))
    const offsets = length('offsets')
    const moved = length('pointIndices') ?? points
    if (offsets !== moved) report('BlendShape', `${shape.path} moves ${moved} points by ${offsets ?? 'no'} offsets.`)
    const normals = length('normalOffsets')
    if (normals !== undefined && normals > 0 && normals !== moved) {
      report('BlendShape', `${shape.path} moves ${moved} points by ${normals} offsets of normals.`)
    }
    const indices = shape.properties.get('pointIndices')
    const { smallest, largest, count } = facts.integers(indices)
    if (count > 0 && (smallest < 0 || largest >= points)) {
      report('BlendShape', `${shape.path} moves the point ${smallest < 0 ? smallest : largest} of ${points}.`)
    }
  }
}
