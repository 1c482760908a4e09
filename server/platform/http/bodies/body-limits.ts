/** Maximum bytes of a parsed body, unless its route sets `bodyLimit`: more than any record needs. */
export const MAX_BODY_BYTES = 32 * 1024

/** Maximum nesting of objects and arrays in a body: more than any record needs, and far below a stack overflow. */
export const MAX_BODY_LEVELS = 50

/** Formats a number of bytes exactly, in the largest unit that divides it: 32 KiB, 200 MiB, 2 GiB. */
export function formatBytes(bytes: number): string {
  const exponent = [3, 2, 1].find((power) => bytes > 0 && bytes % 1024 ** power === 0) ?? 0
  return `${(bytes / 1024 ** exponent).toLocaleString('en')} ${['bytes', 'KiB', 'MiB', 'GiB'][exponent]}`
}

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
