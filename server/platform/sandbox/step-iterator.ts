/**
 * Drives work on bytes that arrive in chunks, one step at a time: the result is the next step, a request for another
 * chunk (`hungry`), or undefined at the end. Errors of the work are thrown. @param begin does the work; it stays
 * suspended if no step is requested any more
 */
export function stepIterator<Step extends object>(begin: (bytes: AsyncIterable<Uint8Array>) => AsyncGenerator<Step>) {
  type Outcome = Step | 'hungry' | undefined
  let take: (piece: Uint8Array | undefined) => void = () => {}
  let settle: (outcome: Outcome) => void = () => {}
  let fail: (error: unknown) => void = () => {}

  async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const piece = await new Promise<Uint8Array | undefined>((resolve) => {
        take = resolve
        settle('hungry')
      })
      if (piece === undefined) return
      yield piece
    }
  }

  const steps = begin(pieces())
  const outcomeOf = (move: () => void) =>
    new Promise<Outcome>((resolve, reject) => {
      settle = resolve
      fail = reject
      move()
    })
  return {
    /** Requests the next step: first, and after each step. */
    next: (): Promise<Outcome> =>
      outcomeOf(() => {
        steps.next().then(
          ({ done, value }) => settle(done ? undefined : value),
          (error) => fail(error),
        )
      }),
    /** Passes the requested chunk; undefined at the end. */
    feed: (piece: Uint8Array | undefined): Promise<Outcome> => outcomeOf(() => take(piece)),
  }
}
