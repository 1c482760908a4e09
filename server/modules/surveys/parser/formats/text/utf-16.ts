const UNITS = 512

/**
 * The byte order of a text in UTF-16, by its mark, otherwise by the zero bytes of its ASCII characters, such as digits
 * and delimiters. Undefined for other files.
 */
export function utf16Of(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const units = Math.min(head.length >> 1, UNITS)
  if (units < 2) return undefined
  let [even, odd] = [0, 0]
  for (let at = 0; at < units; at++) {
    if (head[2 * at] === 0) even++
    if (head[2 * at + 1] === 0) odd++
  }
  const [more, fewer] = [Math.max(even, odd), Math.min(even, odd)]
  if (more * 4 <= units || fewer * 10 > more) return undefined
  return odd > even ? 'utf-16le' : 'utf-16be'
}

/** UTF-16 as UTF-8, without its mark. */
export async function* asUtf8(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array, void> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of bytes) yield Buffer.from(decoder.decode(piece, { stream: true }))
  yield Buffer.from(decoder.decode())
}
