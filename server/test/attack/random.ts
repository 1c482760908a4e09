/** Draws that a seed repeats (mulberry32): a run of the suite is told by its seed alone. */
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
    /** A whole number from 0 up to, not with, `end`. */
    below,
    chance: (share: number) => next() < share,
    pick: <Value>(values: readonly Value[]): Value => values[below(values.length)]!,
    /** A name that no other call gives. */
    name: () => `n${below(2 ** 31).toString(36)}${below(2 ** 31).toString(36)}`,
  }
}
