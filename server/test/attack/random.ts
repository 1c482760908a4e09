/** A seeded random generator (mulberry32): a seed reproduces a run. */
export type Random = ReturnType<typeof randomOf>

export function randomOf(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    /** A number from 0 to below 1. */
    fraction: next,
    /** An integer from 0 to `end`, exclusive. */
    below,
    /** From a normal distribution with mean 0 and standard deviation 1 (G. E. P. Box and M. E. Muller, 1958). */
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    chance: (share: number) => next() < share,
    pick: <Value>(values: readonly Value[]): Value => values[below(values.length)]!,
    /** A unique name. */
    name: () => `n${below(2 ** 31).toString(36)}${below(2 ** 31).toString(36)}`,
  }
}
