import { malformed } from '../errors.ts'

/** Reads the marks and words of a text layer. */
export type Scanner = ReturnType<typeof scanner>

/** Creates a scanner at the beginning of a text. Its errors name the line. */
export function scanner(text: string) {
  let at = 0
  const blank = /(?:[\s;]+|#[^\n]*)*/y
  const skip = () => {
    blank.lastIndex = at
    blank.exec(text)
    at = blank.lastIndex
  }
  const fail = (): never => {
    const line = text.slice(0, at).split('\n').length
    throw malformed(`Line ${line} of the text layer cannot be read at ${JSON.stringify(text.slice(at, at + 30))}.`)
  }
  /** Takes what a sticky pattern matches, behind blanks and comments. */
  const match = (pattern: RegExp): string | undefined => {
    skip()
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (!found) return undefined
    at = pattern.lastIndex
    return found[0]
  }
  const takes = (mark: string): boolean => {
    skip()
    if (!text.startsWith(mark, at)) return false
    at += mark.length
    return true
  }
  /** Takes the text up to a mark that ends it. */
  const upTo = (mark: string): string => {
    const start = at
    const end = text.indexOf(mark, at)
    if (end < 0) return fail()
    at = end + mark.length
    return text.slice(start, end)
  }
  const scan = {
    fail,
    match,
    takes,
    need: (mark: string): void => {
      if (!takes(mark)) fail()
    },
    /** The next character, behind blanks. */
    next: (): string => {
      skip()
      return text[at] ?? ''
    },
    word: (): string => match(/[A-Za-z_][\w:]*/y) ?? fail(),
    /** Takes a string in one of the four kinds of quotes. */
    string: (): string | undefined => {
      for (const mark of ['"""', "'''"]) if (takes(mark)) return unescaped(upTo(mark))
      const short = match(/"(?:[^"\\\n]|\\.)*"/y) ?? match(/'(?:[^'\\\n]|\\.)*'/y)
      return short === undefined ? undefined : unescaped(short.slice(1, -1))
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
        const mark = match(/[[\](),]/y)
        if (mark === '[' || mark === '(') depth++
        else if (mark === ']' || mark === ')') depth--
        else if (mark === undefined) list.push(scan.number() ?? fail())
      } while (depth > 0)
      return list
    },
  }
  return scan
}

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
