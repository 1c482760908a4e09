/** The text of the first pattern that a sentence of the service has, with `*` for its values and `{1}` for the first of them; the sentence itself without one. */
export function byPattern(patterns: Record<string, string>, sentence: string): string {
  for (const [pattern, text] of Object.entries(patterns)) {
    const fixed = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
    const values = new RegExp(`^${fixed.join('(.+?)')}$`, 's').exec(sentence)
    if (values) return text.replace(/\{(\d)\}/g, (_, n) => values[Number(n)]!)
  }
  return sentence
}
