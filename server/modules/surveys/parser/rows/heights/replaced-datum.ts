import type { Heights } from '../../../../reference-systems/heights/heights.ts'
import { datumNamed } from '../../../../reference-systems/heights/named-datum.ts'
import { truncate } from '../../truncate.ts'

/**
 * The notice that `heightDatum=` replaces another vertical datum that the file names; undefined if both are the same, or
 * the option only says which datum the heights above the sea have.
 */
export function replacedDatum(
  heights: Pick<Heights, 'find'>,
  vertical: string | undefined,
  asked: string | undefined,
): { code: 'HEIGHT_DATUM_REPLACED'; message: string } | undefined {
  const named = vertical === undefined ? undefined : datumNamed(heights, vertical)
  const [own, given] = [named, asked].map((name) => (name === undefined ? undefined : heights.find(name)))
  if (typeof own !== 'object' || typeof given !== 'object' || own.name === given.name) return undefined
  const isAboveSea = given.name !== 'ellipsoid' && given.name !== 'unknown'
  if (own.name === 'orthometric' && isAboveSea) return undefined
  const message = `the file names the vertical datum "${truncate(vertical!, 60)}", but heightDatum= says ${given.name}, which was used: check which is right`
  return { code: 'HEIGHT_DATUM_REPLACED', message }
}
