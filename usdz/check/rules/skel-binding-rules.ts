import { floatsOf, lengthOf, numberOf, textOf, tokensOf } from '../reader/read-values.ts'
import type { Stage, StagePrim } from '../reader/stage.ts'
import type { ArrayFacts } from './mesh-rules.ts'
import type { Report } from './rules.ts'

const rule = 'SkelBinding'
/** The number of joint weights that Quick Look uses for each point. */
const mostWeights = 4

/** Checks skeleton bindings: meshes with joints, weights and blend shapes, and skeletons with animations. */
export function checkSkelBindings(stage: Stage, facts: ArrayFacts, report: Report): void {
  const inRoot = new Map<StagePrim, boolean>()
  for (const prim of stage.prims) {
    const isBelow = prim.type === 'SkelRoot' || (prim.parent !== undefined && inRoot.get(prim.parent) === true)
    inRoot.set(prim, isBelow)
    if (prim.base) continue
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
function checkTarget(stage: Stage, prim: StagePrim, name: string, type: string, report: Report): StagePrim | undefined {
  const relationship = prim.own.get(name)
  if (!relationship) return undefined
  const [target] = relationship.targets
  const found = target === undefined ? undefined : stage.primAt(target)
  if (found?.type !== type) report(rule, `${relationship.path} does not point at a ${type}.`)
  return found?.type === type ? found : undefined
}

/** Returns a binding of the prim or an ancestor. */
function inherited(stage: Stage, prim: StagePrim, name: string): StagePrim | undefined {
  for (let at: StagePrim | undefined = prim; at; at = at.parent) {
    const [target] = at.properties.get(name)?.targets ?? []
    if (target !== undefined) return stage.primAt(target)
  }
  return undefined
}

function checkInfluences(stage: Stage, prim: StagePrim, facts: ArrayFacts, report: Report): void {
  const { crate } = stage
  const skeleton = inherited(stage, prim, 'skel:skeleton')
  if (!skeleton) report(rule, `${prim.path} has joint weights and no skeleton.`)
  else if (!prim.own.has('skel:skeleton')) {
    report(rule, `${prim.path} inherits its skeleton, which Quick Look does not follow.`, 'warning')
  }
  const indices = prim.own.get('primvars:skel:jointIndices')
  const weights = prim.own.get('primvars:skel:jointWeights')
  const count = lengthOf(crate, indices?.value)
  if (!indices?.value || !weights?.value || count !== lengthOf(crate, weights.value)) {
    report(rule, `${prim.path} has joint indices and weights of different lengths.`)
    return
  }
  const size = numberOf(crate, indices.fields.get('elementSize')) ?? 1
  if (size !== (numberOf(crate, weights.fields.get('elementSize')) ?? 1)) {
    report(rule, `${prim.path} has joint indices and weights of different element sizes.`)
    return
  }
  if (size > mostWeights) report(rule, `${prim.path} has ${size} weights a point, Quick Look uses 4.`, 'warning')
  const isConstant = (textOf(crate, indices.fields.get('interpolation')) ?? 'constant') === 'constant'
  const elements = isConstant ? 1 : (lengthOf(crate, prim.properties.get('points')?.value) ?? 0)
  if (count !== elements * size) {
    report(rule, `${prim.path} has ${count} joint weights where ${elements} points of ${size} need ${elements * size}.`)
  }
  const joints = tokensOf(crate, (prim.own.get('skel:joints') ?? skeleton?.properties.get('joints'))?.value).length
  const { smallest, largest } = facts.integers(indices.value)
  if (smallest < 0 || largest >= joints) {
    report(rule, `${prim.path} names the joint ${smallest < 0 ? smallest : largest} and its skeleton has ${joints}.`)
  }
  checkWeights(prim, floatsOf(crate, weights.value), size, report)
}

function checkWeights(prim: StagePrim, weights: ArrayLike<number> | undefined, size: number, report: Report): void {
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

function checkBlendShapes(stage: Stage, prim: StagePrim, facts: ArrayFacts, report: Report): void {
  const { crate } = stage
  const names = tokensOf(crate, prim.own.get('skel:blendShapes')?.value)
  const targets = prim.own.get('skel:blendShapeTargets')?.targets ?? []
  if (names.length !== targets.length) {
    report('BlendShape', `${prim.path} names ${names.length} blend shapes and has ${targets.length}.`)
  }
  const points = lengthOf(crate, prim.properties.get('points')?.value) ?? 0
  for (const target of targets) {
    const shape = stage.primAt(target)
    if (shape?.type !== 'BlendShape') {
      report('BlendShape', `${prim.path} targets ${crate.paths.text(target)}, which is not a BlendShape.`)
      continue
    }
    const length = (name: string) => lengthOf(crate, shape.properties.get(name)?.value)
    const offsets = length('offsets')
    const moved = length('pointIndices') ?? points
    if (offsets !== moved) report('BlendShape', `${shape.path} moves ${moved} points by ${offsets ?? 'no'} offsets.`)
    const normals = length('normalOffsets')
    if (normals !== undefined && normals > 0 && normals !== moved) {
      report('BlendShape', `${shape.path} moves ${moved} points by ${normals} offsets of normals.`)
    }
    const indices = shape.properties.get('pointIndices')?.value
    const { smallest, largest, count } = facts.integers(indices)
    if (count > 0 && (smallest < 0 || largest >= points)) {
      report('BlendShape', `${shape.path} moves the point ${smallest < 0 ? smallest : largest} of ${points}.`)
    }
  }
}
