import { layoutOf } from '../../layers/read-arrays.ts'
import type { Crate, Rep } from '../../layers/read-crate.ts'
import { floatsOf, samplesOf, vectorOf } from '../../layers/read-values.ts'
import { type CheckedPrim, type Subject, tokensIn } from '../subject/subject.ts'
import type { Report } from './rules.ts'

/** Checks the transforms of prims, and the rotations of animations. Source: UsdGeomXformable of OpenUSD. */
export function checkTransforms({ distinct }: Subject, report: Report): void {
  for (const prim of distinct) checkTransform(prim, report)
}

function checkTransform(prim: CheckedPrim, report: Report): void {
  const rule = 'Transforms'
  const order = prim.own.get('xformOpOrder')
  if (order) {
    for (const operation of tokensIn(order)) {
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
    const timed = property.samples ? (samplesOf(property.crate, property.samples)?.values ?? []) : []
    for (const value of [...(property.value ? [property.value] : []), ...timed]) {
      if (hasUnitLength(property.crate, value, property.typeName)) continue
      report(rule, `${property.path} has rotations that are not unit quaternions.`)
      break
    }
  }
}

function hasUnitLength(crate: Crate, rep: Rep, typeName: string): boolean {
  if (layoutOf(rep.code)?.size !== 4) return true
  const numbers = rep.array ? floatsOf(crate, rep) : vectorOf(crate, rep)
  if (!numbers) return true
  const tolerance = typeName.startsWith('quath') ? 5e-3 : 1e-4
  for (let i = 0; i + 3 < numbers.length; i += 4) {
    const length = Math.hypot(numbers[i]!, numbers[i + 1]!, numbers[i + 2]!, numbers[i + 3]!)
    if (!(Math.abs(length - 1) <= tolerance)) return false
  }
  return true
}
