/**
 * Shares a read among concurrent callers: whoever calls during a running read waits for the next one. Each read starts
 * after all its callers have called, so all see what was committed before. @returns a function that reads what the key
 * names, with the `read` of the first caller @throws the error of the read, to each of its callers
 */
export function coalescedReads<Result>() {
  const underWay = new Map<string, Promise<Result>>()
  const next = new Map<string, Promise<Result>>()

  function begin(key: string, read: () => Promise<Result>): Promise<Result> {
    const reading = read().finally(() => underWay.delete(key))
    underWay.set(key, reading)
    return reading
  }

  return (key: string, read: () => Promise<Result>): Promise<Result> => {
    const running = underWay.get(key)
    if (!running) return begin(key, read)
    const waiting =
      next.get(key) ??
      running
        .catch(() => {})
        .then(() => {
          next.delete(key)
          return begin(key, read)
        })
    next.set(key, waiting)
    return waiting
  }
}
