declare module 'fastify' {
  interface FastifyContextConfig {
    /** Maximum characters of a JSON body outside of its strings, if its bound is for one long string. */
    charactersOutsideStrings?: number
  }
}

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

/** What a JSON text exceeds, found in one pass before it is parsed. */
export type JsonExcess = 'levels' | 'characters'

/**
 * Checks how deep a JSON text is nested, and how many characters it has outside of its strings: a long string is parsed
 * fast, a long list of small values is not.
 */
export function excessOf(
  text: string,
  { levels, characters }: { levels: number; characters: number },
): JsonExcess | undefined {
  let level = 0
  let outside = 0
  for (let i = 0; i < text.length; i++) {
    if (++outside > characters) return 'characters'
    const sign = text.charCodeAt(i)
    if (sign === QUOTE) i = endOfString(text, i + 1)
    else if (sign === OPEN_ARRAY || sign === OPEN_OBJECT) {
      if (++level > levels) return 'levels'
    } else if (sign === CLOSE_ARRAY || sign === CLOSE_OBJECT) level--
  }
  return undefined
}

/** Strings are usually shorter: searching in native code takes as long as looking at this many characters. */
const SHORT = 32

/** The place of the quote that ends a string, or the length of the text. */
function endOfString(text: string, start: number): number {
  for (let i = start; i < text.length; i++) {
    const sign = text.charCodeAt(i)
    if (sign === QUOTE) return i
    if (sign === BACKSLASH) i++
    else if (i - start === SHORT) {
      const quote = text.indexOf('"', i)
      if (quote < 0) return text.length
      // Characters up to the first backslash need no look.
      const backslash = text.slice(i, quote).indexOf('\\')
      if (backslash < 0) return quote
      i += backslash - 1
    }
  }
  return text.length
}

/** Whether a JSON text is nested deeper than `levels`. */
export const exceedsDepth = (text: string, levels: number): boolean =>
  excessOf(text, { levels, characters: Number.POSITIVE_INFINITY }) === 'levels'
