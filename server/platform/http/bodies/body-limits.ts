/** Maximum bytes of a parsed body, unless its route sets `bodyLimit`: more than any record needs. */
export const MAX_BODY_BYTES = 32 * 1024

/** Maximum nesting of objects and arrays in a body: more than any record needs, and far below a stack overflow. */
export const MAX_BODY_LEVELS = 50

/** Formats bytes: 32 KiB, 1 MiB. */
export const formatKibibytes = (bytes: number): string =>
  bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MiB` : `${bytes / 1024} KiB`

const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** Whether a JSON text is nested deeper than `most` levels, determined in one pass before parsing. */
export function exceedsDepth(text: string, most: number): boolean {
  let level = 0
  for (let i = 0; i < text.length; i++) {
    const sign = text.charCodeAt(i)
    if (sign === QUOTE) {
      for (i++; i < text.length; i++) {
        const inside = text.charCodeAt(i)
        if (inside === QUOTE) break
        if (inside === BACKSLASH) i++
      }
    } else if (sign === OPEN_ARRAY || sign === OPEN_OBJECT) {
      if (++level > most) return true
    } else if (sign === CLOSE_ARRAY || sign === CLOSE_OBJECT) level--
  }
  return false
}
