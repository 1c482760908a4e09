import type { Crate, Rep } from '../../layers/read-crate.ts'
import { floatsOf, numberOf, samplesOf, vectorOf } from '../../layers/read-values.ts'
import type { StageProperty } from '../../layers/stage.ts'
import type { PackageLayer } from '../../stage/usd-prim.ts'
import { typeCode } from '../../usd/crate/types.ts'
import type { Report } from './rules.ts'
import { storedAs } from './value-types.ts'

/**
 * Checks that the values of a layer have their declared types and that time samples are ordered. The reader of text
 * layers reads values as they are declared.
 * @param isRoot whether the time range of the layer is that of the stage.
 */
export function checkValues({ stage, isText }: PackageLayer, isRoot: boolean, report: Report): void {
  const { crate, metadata } = stage
  const span = isRoot && {
    start: numberOf(crate, metadata.get('startTimeCode')),
    end: numberOf(crate, metadata.get('endTimeCode')),
  }
  const check: ValueCheck = (property, value) => checkValue(property, value, !isText, finite, report)
  const finite = finiteness(crate)
  for (const prim of stage.prims) {
    for (const property of prim.own.values()) {
      if (property.isRelationship) continue
      const { value, samples } = property
      if (value) check(property, value)
      if (samples) checkSamples(crate, property, samples, span, check, report)
    }
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

type ValueCheck = (property: StageProperty, value: Rep) => boolean

function checkValue(
  property: StageProperty,
  value: Rep,
  isTyped: boolean,
  finite: (rep: Rep) => boolean,
  report: Report,
): boolean {
  if (value.code === typeCode.valueBlock) return true
  const declared = isTyped ? storedAs(property.typeName) : undefined
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
  span: Span | false,
  check: ValueCheck,
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
  if (!values.every((value) => check(property, value))) return
  if (!span || times.length === 0) return
  const isInside = times[0]! >= (span.start ?? Infinity) && times.at(-1)! <= (span.end ?? -Infinity)
  if (!isInside) report(rule, `${property.path} has samples outside the stage's time range.`, 'warning')
}
