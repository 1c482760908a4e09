/** A field of the root layer that is set, and the sentence that says so. */
export type SetField =
  | { name: 'upAxis' | 'defaultPrim'; value: string; sentence: string }
  | { name: 'metersPerUnit'; value: number; sentence: string }

/**
 * Returns what readers assume where the metadata of a root layer lacks it: USD's default unit is a centimetre, its default
 * axis Y.
 * @param tops the names of its first prims.
 */
export function missingMetadata(given: (name: string) => unknown, tops: readonly string[]): SetField[] {
  const missing: SetField[] = []
  if (given('upAxis') === undefined) {
    missing.push({ name: 'upAxis', value: 'Y', sentence: 'upAxis is set to Y, which readers assume.' })
  }
  if (!(Number(given('metersPerUnit')) > 0)) {
    const sentence = 'metersPerUnit is set to 0.01, which readers assume.'
    missing.push({ name: 'metersPerUnit', value: 0.01, sentence })
  }
  const [first] = tops
  // A sublayer may have the default prim.
  const isNamed = tops.some((name) => name === given('defaultPrim')) || given('subLayers') !== undefined
  if (first !== undefined && !isNamed) {
    missing.push({ name: 'defaultPrim', value: first, sentence: `defaultPrim is set to ${first}, the first prim.` })
  }
  return missing
}
