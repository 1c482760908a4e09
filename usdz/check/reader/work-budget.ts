/** What one check may unpack and walk through, so that a small hostile file cannot keep it busy or fill the memory. */
export type Budget = { spend(amount: number): void }

/** Numbers and bytes unpacked from a whole package: the largest packages in use stay far below. */
const most = 150_000_000

/** @throws Error, from `spend`, when a package claims to hold more than any sensible one. */
export function budget(): Budget {
  let left = most
  return {
    spend(amount) {
      left -= amount
      if (!(left >= 0)) throw new Error('It unpacks to more than is read here.')
    },
  }
}
