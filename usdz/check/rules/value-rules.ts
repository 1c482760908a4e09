import { typeCode } from '../../usd/crate/types.ts'
import { layoutOf } from '../reader/read-arrays.ts'
import type { Crate, Rep } from '../reader/read-crate.ts'
import { floatsOf, numberOf, samplesOf, tokensOf, vectorOf } from '../reader/read-values.ts'
import type { Stage, StagePrim, StageProperty } from '../reader/stage.ts'
import type { Report } from './rules.ts'
import { storedAs } from './value-types.ts'

/** Checks that values have their declared types and that time samples are ordered. */
export function checkValues(stage: Stage, report: Report): void {
  const { crate, metadata } = stage
  const span = {
    start: numberOf(crate, metadata.get('startTimeCode')),
    end: numberOf(crate, metadata.get('endTimeCode')),
  }
  const finite = finiteness(crate)
  for (const prim of stage.prims) {
    for (const property of prim.own.values()) {
      if (property.isRelationship) continue
      const { value, samples } = property
      if (value) checkValue(property, value, finite, report)
      if (samples) checkSamples(crate, property, samples, span, finite, report)
    }
    checkTransforms(crate, prim, report)
  }
}

/** Tells whether all numbers of a value are finite. Shared arrays are tested once. */
function finiteness(crate: Crate): (rep: Rep) => boolean {
  const known = new Map<string, boolean>()
  return (rep) => {
    const numbers = (): ArrayLike<number> | undefined => {
      if (rep.array) return floatsOf(crate, rep)
      const one = numberOf(crate, rep)
      return one === undefined ? vectorOf(crate, rep) : [one]
    }
    if (rep.inlined) return allFinite(numbers())
    const key = `${rep.code} ${rep.array} ${rep.payload}`
    const before = known.get(key)
    if (before !== undefined) return before
    const all = allFinite(numbers())
    known.set(key, all)
    return all
  }
}

function allFinite(numbers: ArrayLike<number> | undefined): boolean {
  if (!numbers) return true
  // A finite sum implies finite values; infinities that cancel are tested one by one.
  let sum = 0
  for (let i = 0; i < numbers.length; i++) sum += numbers[i]!
  if (Number.isFinite(sum)) return true
  for (let i = 0; i < numbers.length; i++) if (!Number.isFinite(numbers[i]!)) return false
  return true
}

function checkValue(property: StageProperty, value: Rep, finite: (rep: Rep) => boolean, report: Report): boolean {
  if (value.code === typeCode.valueBlock) return true
  const declared = storedAs(property.typeName)
  if (declared && (declared.code !== value.code || declared.array !== value.array)) {
    report('Values', `${property.path} is declared as ${property.typeName}, but has a value of another type.`)
    return false
  }
  if (!finite(value)) report('FiniteValues', `${property.path} holds numbers that are not finite.`)
  return true
}

type Span = { start: number | undefined; end: number | undefined }

function checkSamples(
  crate: Crate,
  property: StageProperty,
  rep: Rep,
  { start, end }: Span,
  finite: (rep: Rep) => boolean,
  report: Report,
): void {
  const rule = 'TimeSamples'
  const samples = samplesOf(crate, rep)
  if (!samples) {
    report(rule, `${property.path} has invalid time samples.`)
    return
  }
  const { times, values } = samples
  if (times.length !== values.length) {
    report(rule, `${property.path} has ${times.length} times and ${values.length} values.`)
  }
  if (!times.every((time, i) => Number.isFinite(time) && (i === 0 || time > times[i - 1]!))) {
    report(rule, `${property.path} has times that do not ascend.`)
  }
  if (property.fields.has('variability') && property.fields.get('variability')?.low === 1) {
    report(rule, `${property.path} is uniform but has time samples.`)
  }
  if (!values.every((value) => checkValue(property, value, finite, report))) return
  const inside = times.length === 0 || (times[0]! >= (start ?? Infinity) && times.at(-1)! <= (end ?? -Infinity))
  if (!inside) report(rule, `${property.path} has samples outside the stage's time range.`, 'warning')
}

function checkTransforms(crate: Crate, prim: StagePrim, report: Report): void {
  const rule = 'Transforms'
  const order = prim.own.get('xformOpOrder')
  if (order) {
    for (const operation of tokensOf(crate, order.value)) {
      const name = operation.replace(/^!invert!/, '')
      if (name !== '!resetXformStack!' && !prim.properties.has(name)) {
        report(rule, `${prim.path} lists ${name} in xformOpOrder, which does not exist.`)
      }
    }
  }
  for (const property of prim.own.values()) {
    const isRotation =
      property.name.startsWith('xformOp:orient') || (prim.type === 'SkelAnimation' && property.name === 'rotations')
    if (!isRotation) continue
    const timed = property.samples ? (samplesOf(crate, property.samples)?.values ?? []) : []
    for (const value of [...(property.value ? [property.value] : []), ...timed]) {
      if (hasUnitLength(crate, value)) continue
      report(rule, `${property.path} has rotations that are not unit quaternions.`)
      break
    }
  }
}

function hasUnitLength(crate: Crate, rep: Rep): boolean {
  if (layoutOf(rep.code)?.size !== 4) return true
  const numbers = rep.array ? floatsOf(crate, rep) : vectorOf(crate, rep)
  if (!numbers) return true
  const tolerance = rep.code === typeCode.quath ? 5e-3 : 1e-4
  for (let i = 0; i + 3 < numbers.length; i += 4) {
    const length = Math.hypot(numbers[i]!, numbers[i + 1]!, numbers[i + 2]!, numbers[i + 3]!)
    if (!(Math.abs(length - 1) <= tolerance)) return false
  }
  return true
}
