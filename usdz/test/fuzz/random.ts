/** Returns an integer from 0 to `below`, exclusive. */
export type Random = (below: number) => number

/** Mulberry32: small and deterministic. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return below > 0 ? ((mixed ^ (mixed >>> 14)) >>> 0) % below : 0
  }
}

/** Returns one item of a list. */
export const pick = <Item>(list: readonly Item[], random: Random): Item => list[random(list.length)]!
