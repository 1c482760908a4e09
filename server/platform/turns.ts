/** Lets pieces of work run a few at a time, first come, first served. A piece may take more than one turn, up to all of them.
 * @param free turns there are @param mostWaiting more than these do not wait: `full` makes what is thrown then */
export function createTurns({ free, mostWaiting, full }: { free: number; mostWaiting: number; full: () => Error }) {
  const waiting: { turns: number; begin: () => void }[] = []
  let left = free

  const beginNext = () => {
    while (waiting[0] && waiting[0].turns <= left) {
      const { turns, begin } = waiting.shift()!
      left -= turns
      begin()
    }
  }

  return async <T>(turns: number, work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= mostWaiting) throw full()
    await new Promise<void>((begin) => {
      waiting.push({ turns, begin })
      beginNext()
    })
    try {
      return await work()
    } finally {
      left += turns
      beginNext()
    }
  }
}
