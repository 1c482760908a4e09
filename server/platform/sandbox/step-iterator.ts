/**
 * Work on bytes that come in pieces, one step at a time: whoever drives it is told when the next step is there, or when
 * a further piece is needed for it (`hungry`). Undefined: there are no more steps. What the work throws is thrown.
 * @param begin does the work; it is left where it is when nobody asks any more
 */
export function stepIterator<Step extends object>(begin: (bytes: AsyncIterable<Uint8Array>) => AsyncGenerator<Step>) {
  type Outcome = Step | 'hungry' | undefined
  let take: (piece: Uint8Array | undefined) => void = () => {}
  let tell: (outcome: Outcome) => void = () => {}
  let fail: (error: unknown) => void = () => {}

  async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const piece = await new Promise<Uint8Array | undefined>((resolve) => {
        take = resolve
        tell('hungry')
      })
      if (piece === undefined) return
      yield piece
    }
  }

  const steps = begin(pieces())
  const outcomeOf = (move: () => void) =>
    new Promise<Outcome>((resolve, reject) => {
      tell = resolve
      fail = reject
      move()
    })
  return {
    /** Asks for the next step; to be called first, and after each step. */
    next: (): Promise<Outcome> =>
      outcomeOf(() => {
        steps.next().then(
          ({ done, value }) => tell(done ? undefined : value),
          (error) => fail(error),
        )
      }),
    /** Gives the piece that was asked for; undefined: there are no more. */
    feed: (piece: Uint8Array | undefined): Promise<Outcome> => outcomeOf(() => take(piece)),
  }
}
