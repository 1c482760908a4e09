/**
 * The first `max` UTF-16 units of a text as PostgreSQL can store it: without U+0000 and without half a surrogate pair,
 * from the truncation or the file.
 */
export const truncate = (text: string, max: number): string =>
  text
    .slice(0, max)
    .replaceAll('\0', '')
    .replace(/[\uD800-\uDFFF]/gu, '')
