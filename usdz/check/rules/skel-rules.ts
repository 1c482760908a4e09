import { lengthOf, samplesOf } from '../../layers/read-values.ts'
import { type CheckedPrim, floatsIn, lengthIn, type Subject, tokensIn } from '../subject/subject.ts'
import type { ArrayFacts } from './mesh-rules.ts'
import type { Report } from './rules.ts'
import { checkSkelBindings } from './skel-binding-rules.ts'

/** Checks skeletons and their animations. Source: the UsdSkel schemas of OpenUSD. */
export function checkSkeletons(stage: Subject, facts: ArrayFacts, report: Report): void {
  for (const prim of stage.distinct) {
    if (prim.type === 'Skeleton') checkSkeleton(prim, report)
    if (prim.type === 'SkelAnimation') checkAnimation(prim, report)
  }
  checkSkelBindings(stage, facts, report)
}

function checkSkeleton(prim: CheckedPrim, report: Report): void {
  const rule = 'Skeleton'
  const joints = tokensIn(prim.properties.get('joints'))
  const order = new Map(joints.map((joint, index) => [joint, index]))
  if (order.size < joints.length) report(rule, `${prim.path} has two joints with the same path.`)
  for (const [joint, index] of order) {
    const parent = joint.slice(0, Math.max(0, joint.lastIndexOf('/')))
    const above = parent === '' ? undefined : order.get(parent)
    if (above !== undefined && above > index) report(rule, `${prim.path} names the joint ${joint} before its parent.`)
  }
  for (const name of ['bindTransforms', 'restTransforms']) {
    const length = lengthIn(prim.properties.get(name))
    if (length !== joints.length) {
      report(rule, `${prim.path} has ${joints.length} joints and ${length ?? 'no'} ${name}.`)
    }
  }
  const bind = floatsIn(prim.properties.get('bindTransforms'))
  for (let i = 0; bind && i + 15 < bind.length; i += 16) {
    if (determinant(bind, i) !== 0) continue
    report(rule, `${prim.path} has a singular bind transform for the joint ${joints[i / 16] ?? i / 16}.`)
    break
  }
}

/** Computed from the three axes of a transform. */
function determinant(m: ArrayLike<number>, at: number): number {
  const [a, b, c] = [m[at]!, m[at + 1]!, m[at + 2]!]
  const [d, e, f] = [m[at + 4]!, m[at + 5]!, m[at + 6]!]
  const [g, h, i] = [m[at + 8]!, m[at + 9]!, m[at + 10]!]
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
}

function checkAnimation(prim: CheckedPrim, report: Report): void {
  const joints = tokensIn(prim.properties.get('joints')).length
  const shapes = tokensIn(prim.properties.get('blendShapes')).length
  const lists = [
    ...(joints > 0 ? ['translations', 'rotations', 'scales'].map((name) => [name, joints, 'joints'] as const) : []),
    ...(shapes > 0 ? [['blendShapeWeights', shapes, 'blend shapes'] as const] : []),
  ]
  for (const [name, wanted, what] of lists) {
    const property = prim.properties.get(name)
    const timed = property?.samples ? (samplesOf(property.crate, property.samples)?.values ?? []) : []
    const values = [...(property?.value ? [property.value] : []), ...timed]
    if (values.length === 0) report('SkelAnimation', `${prim.path} has ${wanted} ${what} and no ${name}.`)
    const lengths = values.map((value) => property && lengthOf(property.crate, value))
    const wrong = lengths.findIndex((length) => length !== wanted)
    if (wrong < 0) continue
    const length = lengths[wrong] ?? 'no'
    report('SkelAnimation', `${prim.path} has ${wanted} ${what} and ${length} ${name}.`)
  }
}
