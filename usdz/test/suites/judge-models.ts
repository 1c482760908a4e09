import { ConversionError, convert, type Profile } from '../../index.ts'
import { expectedOf } from '../expected.ts'
import { type Converted, judgeAll } from '../judgement.ts'
import { judgeMovement } from '../movement.ts'
import { isRightlyRefused } from '../refusals.ts'
import { excuseOf } from './excuses.ts'
import type { SuiteModel } from './suite-models.ts'

/** The result of one model in one profile; `what` is the message of the refusal, or what is wrong. */
export type Outcome = { state: 'converted' | 'excused' | 'refused' | 'REFUSED' | 'FALL'; what: string; seconds: number }

type Package = Converted & { glb: Uint8Array; seconds: number }

/**
 * Converts models and compares what three readers find in the packages, and the position of every vertex during
 * animations, with the GLBs. A package is checked against the rules of `usdz check` by the conversion itself. Results of
 * invalid models are not judged.
 */
export async function judgeModels(models: readonly SuiteModel[], profile: Profile): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  const packages: Package[] = []
  for (const { path, glb, validity } of models) {
    if (!glb) continue
    const start = performance.now()
    const seconds = () => (performance.now() - start) / 1000
    try {
      const { usdz, report } = await convert(glb, { profile })
      const took = seconds()
      if (validity === 'valid') {
        packages.push({ name: path, glb, usdz, report, profile, expected: await expectedOf(glb), seconds: took })
      } else outcomes.set(path, { state: 'converted', what: '', seconds: took })
    } catch (error) {
      outcomes.set(path, failure(error, validity, seconds()))
    }
  }
  for (const [path, outcome] of await judged(packages)) outcomes.set(path, outcome)
  return outcomes
}

function failure(error: unknown, validity: string, seconds: number): Outcome {
  const what = (error instanceof Error ? error.message : String(error)).split('\n')[0]!
  if (!(error instanceof ConversionError)) return { state: 'FALL', what, seconds }
  const isRight = validity !== 'valid' || isRightlyRefused(error)
  return { state: isRight ? 'refused' : 'REFUSED', what, seconds }
}

async function judged(packages: readonly Package[]): Promise<[string, Outcome][]> {
  if (packages.length === 0) return []
  const judgements = await judgeAll(packages)
  const movements = await judgeMovement(packages)
  return packages.map((model, index): [string, Outcome] => {
    const all = [...judgements[index]!.complaints, ...movements[index]!.complaints]
    const excused = all.map((complaint) => excuseOf(complaint, all))
    const faults = all.filter((_, i) => excused[i] === undefined)
    const reasons = [...new Set(excused.filter((reason) => reason !== undefined))]
    const { seconds } = model
    if (faults.length > 0) return [model.name, { state: 'FALL', what: faults.join('; '), seconds }]
    return [model.name, { state: reasons.length > 0 ? 'excused' : 'converted', what: reasons.join('; '), seconds }]
  })
}
