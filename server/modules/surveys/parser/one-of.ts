/** `a, b or c`; of more than `most`, the first ones: `a, b or one of 4 more`. */
export function oneOf(texts: readonly string[], most: number): string {
  const more = texts.length - most
  if (more > 0) return `${texts.slice(0, most).join(', ')} or one of ${more} more`
  return texts.length > 1 ? `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}` : texts.join('')
}
