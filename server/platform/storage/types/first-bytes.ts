/**
 * Reads the first bytes of a stream. @returns at least `length` of them (fewer only if there are no more), and the
 * whole stream again
 */
export async function firstBytes(
  bytes: AsyncIterable<Uint8Array>,
  length: number,
): Promise<{ head: Buffer; all: AsyncIterable<Uint8Array> }> {
  const iterator = bytes[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let seen = 0
  while (seen < length) {
    const { done, value } = await iterator.next()
    if (done) break
    first.push(value)
    seen += value.length
  }
  async function* all() {
    try {
      yield* first
      yield* { [Symbol.asyncIterator]: () => iterator }
    } finally {
      await iterator.return?.()
    }
  }
  return { head: Buffer.concat(first), all: all() }
}
