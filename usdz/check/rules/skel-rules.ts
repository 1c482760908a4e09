import { floatsOf, lengthOf, samplesOf, tokensOf } from '../reader/read-values.ts'
import type { Stage, StagePrim } from '../reader/stage.ts'
import type { ArrayFacts } from './mesh-rules.ts'
import type { Report } from './rules.ts'
import { checkSkelBindings } from './skel-binding-rules.ts'

/** Checks skeletons and their animations. Source: the UsdSkel schemas of OpenUSD. */
export function checkSkeletons(stage: Stage, facts: ArrayFacts, report: Report): void {
  for (const prim of stage.prims) {
    if (prim.type === 'Skeleton') checkSkeleton(stage, prim, report)
    if (prim.type === 'SkelAnimation') checkAnimation(stage, prim, report)
  }
  checkSkelBindings(stage, facts, report)
}

function checkSkeleton({ crate }: Stage, prim: StagePrim, report: Report): void {
  const rule = 'Skeleton'
  const joints = tokensOf(crate, prim.properties.get('joints')?.value)
  const order = new Map(joints.map((joint, index) => [joint, index]))
  if (order.size < joints.length) report(rule, `${prim.path} has two joints with the same path.`)
  for (const [joint, index] of order) {
    const parent = joint.slice(0, Math.max(0, joint.lastIndexOf('/')))
    const above = parent === '' ? undefined : order.get(parent)
    if (above !== undefined && above > index) report(rule, `${prim.path} names the joint ${joint} before its parent.`)
  }
  for (const name of ['bindTransforms', 'restTransforms']) {
    const length = lengthOf(crate, prim.properties.get(name)?.value)
    if (length !== joints.length) {
      report(rule, `${prim.path} has ${joints.length} joints and ${length ?? 'no'} ${name}.`)
    }
  }
  const bind = floatsOf(crate, prim.properties.get('bindTransforms')?.value)
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

function checkAnimation({ crate }: Stage, prim: StagePrim, report: Report): void {
  const joints = tokensOf(crate, prim.properties.get('joints')?.value).length
  const shapes = tokensOf(crate, prim.properties.get('blendShapes')?.value).length
  const lists = [
    ...(joints > 0 ? ['translations', 'rotations', 'scales'].map((name) => [name, joints, 'joints'] as const) : []),
    ...(shapes > 0 ? [['blendShapeWeights', shapes, 'blend shapes'] as const] : []),
  ]
  for (const [name, wanted, what] of lists) {
    const property = prim.properties.get(name)
    const timed = property?.samples ? (samplesOf(crate, property.samples)?.values ?? []) : []
    const values = [...(property?.value ? [property.value] : []), ...timed]
    if (values.length === 0) report('SkelAnimation', `${prim.path} has ${wanted} ${what} and no ${name}.`)
    const wrong = values.find((value) => lengthOf(crate, value) !== wanted)
    if (!wrong) continue
    const length = lengthOf(crate, wrong) ?? 'no'
    report('SkelAnimation', `${prim.path} has ${wanted} ${what} and ${length} ${name}.`)
  }
}
