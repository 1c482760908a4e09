import { malformed, tooLarge } from '../errors.ts'

/** Reads the marks and words of a text layer. */
export type Scanner = ReturnType<typeof scanner>

/** The largest number of words, strings and single numbers, some times those of the largest layers in use. */
const mostMarks = 2_000_000

/** Creates a scanner at the beginning of a text. Its errors name the line. */
export function scanner(text: string) {
  let at = 0
  let marks = 0
  const count = () => {
    if (++marks > mostMarks) throw tooLarge(`The text layer has more than ${mostMarks} words.`)
  }
  /** Goes behind blanks and comments. Expressions that match them all run out of stack where there are many. */
  const skip = () => {
    for (;;) {
      while (isBlank(text.charCodeAt(at))) at++
      const comment = comments.find(([mark]) => text.startsWith(mark, at))
      if (!comment) return
      const end = text.indexOf(comment[1], at)
      at = end < 0 ? text.length : end + comment[1].length
    }
  }
  const fail = (): never => {
    const line = text.slice(0, at).split('\n').length
    if (at >= text.length) throw malformed(`The text layer ends in line ${line}, before what it begins.`)
    throw malformed(`Line ${line} of the text layer cannot be read at ${JSON.stringify(text.slice(at, at + 30))}.`)
  }
  /** Takes what a sticky pattern matches, behind blanks and comments. */
  const taken = (pattern: RegExp): string | undefined => {
    skip()
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (!found) return undefined
    at = pattern.lastIndex
    return found[0]
  }
  const match = (pattern: RegExp): string | undefined => {
    const found = taken(pattern)
    if (found !== undefined) count()
    return found
  }
  const takes = (mark: string): boolean => {
    skip()
    if (!text.startsWith(mark, at)) return false
    at += mark.length
    return true
  }
  /** Takes the text up to a mark that ends it. */
  const upTo = (mark: string): string => {
    count()
    const start = at
    const end = text.indexOf(mark, at)
    if (end < 0) return fail()
    at = end + mark.length
    return text.slice(start, end)
  }
  /** Takes the text up to a quote that no backslash escapes. */
  const quoted = (quote: string): string => {
    count()
    const isEscaped = (end: number) => {
      let first = end
      while (first > at && text[first - 1] === '\\') first--
      return (end - first) % 2 === 1
    }
    let end = text.indexOf(quote, at)
    while (end >= 0 && isEscaped(end)) end = text.indexOf(quote, end + 1)
    const found = text.slice(at, end)
    if (end < 0 || (quote.length === 1 && found.includes('\n'))) return fail()
    at = end + quote.length
    return unescaped(found)
  }
  const scan = {
    fail,
    match,
    takes,
    need: (mark: string): void => {
      if (!takes(mark)) fail()
    },
    /** The offset of the next character, which may be a blank. */
    offset: (): number => at,
    /** The next character, behind blanks. */
    next: (): string => {
      skip()
      return text[at] ?? ''
    },
    word: (): string => match(/[\p{L}_][\p{L}\p{M}\p{N}_:]*/uy) ?? fail(),
    /** Takes a string in one of the four kinds of quotes. */
    string: (): string | undefined => {
      const quote = quotes.find(takes)
      return quote === undefined ? undefined : quoted(quote)
    },
    /** Takes an asset path between @ or @@@. */
    asset: (): string | undefined => {
      if (takes('@@@')) return upTo('@@@')
      return takes('@') ? upTo('@') : undefined
    },
    /** Takes a path between < and >. */
    path: (): string | undefined => (takes('<') ? upTo('>') : undefined),
    number: (): number | undefined => {
      const found = match(numeral)
      return found === undefined ? undefined : numberOf(found)
    },
    /** Takes all numbers of a list or tuple, whatever its inner brackets. */
    numbers: (): number[] => {
      const list: number[] = []
      let depth = 0
      do {
        // Brackets and commas between numbers.
        const mark = taken(/[[\](),]/y)
        if (mark === '[' || mark === '(') depth++
        else if (mark === ']' || mark === ')') depth--
        else if (mark === undefined) list.push(numberOf(taken(numeral) ?? fail()))
      } while (depth > 0)
      return list
    },
  }
  return scan
}

const quotes = ['"""', "'''", '"', "'"]
/** What begins a comment, and what ends it. */
const comments = [
  ['#', '\n'],
  ['//', '\n'],
  ['/*', '*/'],
] as const
/** Separators of statements are blanks too. */
const isBlank = (code: number) => code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0x3b
const numeral = /[-+]?(?:(?:inf|nan)\b|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/y
const numberOf = (text: string): number =>
  /[in]/.test(text) && !/e/i.test(text)
    ? text.includes('nan')
      ? NaN
      : text.startsWith('-')
        ? -Infinity
        : Infinity
    : Number(text)

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r' }
const unescaped = (text: string) => text.replace(/\\(.)/gs, (_, mark: string) => escapes[mark] ?? mark)
