import { isUtf8 } from 'node:buffer'

type Decoder = { decode: (bytes?: Uint8Array, options?: { stream: boolean }) => string }

/**
 * Decodes UTF-8 up to the first invalid byte.
 * @param fallbackOf the decoder from there, called once
 * @param isOther whether nothing is UTF-8
 */
export async function* textOf(
  bytes: AsyncIterable<Uint8Array>,
  fallbackOf: () => Decoder,
  isOther: boolean,
): AsyncGenerator<string, void, undefined> {
  let fallback = isOther ? fallbackOf() : undefined
  let held: Uint8Array = Buffer.alloc(0)
  for await (const piece of bytes) {
    if (fallback) {
      yield fallback.decode(piece, { stream: true })
      continue
    }
    const all =
      held.length > 0 ? Buffer.concat([held, piece]) : Buffer.from(piece.buffer, piece.byteOffset, piece.length)
    const whole = wholeLength(all, all.length)
    if (isUtf8(all.subarray(0, whole))) {
      yield all.toString('utf8', 0, whole)
      held = all.subarray(whole)
      continue
    }
    const good = validLength(all, whole)
    fallback = fallbackOf()
    yield all.toString('utf8', 0, good) + fallback.decode(all.subarray(good), { stream: true })
    held = Buffer.alloc(0)
  }
  if (held.length > 0) {
    fallback = fallbackOf()
    yield fallback.decode(held, { stream: true })
  }
  if (fallback) yield fallback.decode()
}

/** Whether bytes are UTF-8, up to a truncated character at the end. */
export const startsAsUtf8 = (bytes: Buffer): boolean => isUtf8(bytes.subarray(0, wholeLength(bytes, bytes.length)))

/** The length without a truncated character at the end: at most three bytes less. */
function wholeLength(bytes: Buffer, length: number): number {
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back]!
    if (byte < 0x80) return length
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return needed > back ? length - back : length
    }
  }
  return length
}

/** The number of valid UTF-8 bytes at the start, by binary search: prefixes are valid up to the first bad byte. */
function validLength(bytes: Buffer, length: number): number {
  let good = 0
  let bad = length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isUtf8(bytes.subarray(0, wholeLength(bytes, middle)))) good = middle
    else bad = middle
  }
  return wholeLength(bytes, good)
}
