/**
 * Reads the same for all who ask for it at once: whoever asks while a reading is under way waits for the next one, with all
 * others who do. Each reading begins after everybody whom it answers had asked, so all see what was committed before.
 * @returns reads what the key names, for the one who asks first by that one's `read`
 * @throws what the reading throws, to each whom it was for
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
