/** A view of a byte stream that buffers as many bytes as the reader asks for. */
export function byteWindow(pieces: AsyncIterable<Uint8Array>) {
  const iterator = pieces[Symbol.asyncIterator]()
  let bytes = new Uint8Array()
  let view = new DataView(bytes.buffer)
  let at = 0

  return {
    /** The buffered bytes; numbers are read from `at`. */
    get view() {
      return view
    },
    get bytes() {
      return bytes
    },
    get at() {
      return at
    },
    get left() {
      return bytes.length - at
    },
    /** Advances by that many buffered bytes. */
    step(count: number) {
      at += count
    },
    /** Buffers at least that many bytes. @returns false if fewer are left */
    async need(count: number): Promise<boolean> {
      if (bytes.length - at >= count) return true
      const parts: Uint8Array[] = [bytes.subarray(at)]
      let total = bytes.length - at
      while (total < count) {
        const { done, value } = await iterator.next()
        if (done) break
        parts.push(value)
        total += value.length
      }
      bytes = new Uint8Array(total)
      let to = 0
      for (const part of parts) {
        bytes.set(part, to)
        to += part.length
      }
      view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
      at = 0
      return total >= count
    },
    /** Skips that many bytes, buffered or not. @returns false if fewer are left */
    async skip(count: number): Promise<boolean> {
      let rest = count
      while (rest > bytes.length - at) {
        rest -= bytes.length - at
        at = bytes.length
        if (!(await this.need(1))) return false
      }
      at += rest
      return true
    },
  }
}
export type ByteWindow = ReturnType<typeof byteWindow>
