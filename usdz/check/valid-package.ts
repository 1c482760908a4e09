import { malformed } from '../errors.ts'
import { checkPackage } from './check-package.ts'
import type { RuleName } from './rules/rules.ts'

/**
 * Validates a written package before it is returned. @param except rules that it breaks on purpose
 * @throws ConversionError when the numbers of the model overflow in the result, although each is finite.
 */
export function assertValidPackage(usdz: Uint8Array, ...except: RuleName[]): void {
  const problems = checkPackage(usdz).filter(({ rule }) => !except.includes(rule))
  const endless = problems.find(({ rule }) => rule === 'FiniteValues')
  if (endless) throw malformed(`The values of the model are too large: ${endless.message}`)
  if (problems.length > 0)
    throw new Error(`The written package is invalid: ${problems.map(({ message }) => message).join(' ')}`)
}
