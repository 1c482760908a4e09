/** Why a complaint is no fault of a package: what a reader's own limit causes, where no other reader complains. */
export function excuseOf(complaint: string, all: readonly string[]): string | undefined {
  const isAlone = all.every((other) => other.startsWith(complaint.split(' ')[0]!))
  return isAlone ? known.find(([pattern]) => pattern.test(complaint))?.[1] : undefined
}

const known: [pattern: RegExp, reason: string][] = [
  // GfRotation::SetQuat computes an angle from the cosine of its half, in floats: below 0.04 degrees it is lost.
  [/^openusd is off by [1-3]\.\d+e-4 /, 'OpenUSD rounds small angles'],
  [/^tinyusdz cannot read it: [\s\S]*Prim hierarchy is too deep/, 'TinyUSDZ reads fewer levels'],
]
