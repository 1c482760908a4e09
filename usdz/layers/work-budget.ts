/** Limits the work of one check, so that a small hostile file cannot occupy the processor or exhaust memory. */
export type Budget = { spend(amount: number): void }

/** The largest number of values and bytes unpacked from a package, far above those in use. */
const most = 150_000_000

/**
 * Creates a budget.
 * @throws Error, from `spend`, when it is exceeded.
 */
export function budget(): Budget {
  let left = most
  return {
    spend(amount) {
      left -= amount
      if (!(left >= 0)) throw new Error('It unpacks to more data than allowed.')
    },
  }
}
