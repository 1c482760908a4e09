/** Longer ones are not translated: the time of a search grows faster than their length. */
const MAX_LENGTH = 1000
/** A value in front is no other sentence, which a colon ends, unless in quotes. */
const FIRST_VALUE = '((?:[^:"]|"[^"]*")+?)'
const VALUE = '(.+?)'

/**
 * Translates sentences of the service. The patterns are these sentences with `*` for their values; of their texts, `{1}` is
 * the first value and `{…1}` a value that is a sentence itself. A sentence without a pattern stays as it is.
 * @param words of the service that values are, or begin with
 */
export function byPattern(
  patterns: Record<string, string>,
  words: Record<string, string> = {},
): (sentence: string) => string {
  const known = Object.entries(patterns).map(([pattern, text]) => ({ regex: regexOf(pattern), text }))
  const word = new RegExp(`^(?:${Object.keys(words).join('|')})(?= |$)`)
  const translated = (sentence: string): string => {
    if (sentence.length > MAX_LENGTH) return sentence
    for (const { regex, text } of known) {
      const values = regex.exec(sentence)
      if (values)
        return text.replace(/\{(…?)(\d)\}/g, (_, isSentence, n) => {
          const value = values[Number(n)]!
          return isSentence ? translated(value) : value.replace(word, (one) => words[one] ?? one)
        })
    }
    return sentence
  }
  return translated
}

function regexOf(pattern: string): RegExp {
  const fixed = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
  const [start, ...rest] = fixed
  const values = rest.map((part, n) => `${start === '' && n === 0 ? FIRST_VALUE : VALUE}${part}`)
  return new RegExp(`^${start}${values.join('')}$`, 's')
}
