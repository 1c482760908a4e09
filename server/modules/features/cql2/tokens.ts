import { filterFault } from './expression.ts'

/** A piece of a filter in CQL2 text. `name` is an unquoted identifier, which may be a keyword. */
export type Token = { kind: 'name' | 'quoted' | 'text' | 'number' | 'sign' | 'end'; value: string; at: number }

const PATTERNS: [kind: Token['kind'] | 'space', pattern: RegExp][] = [
  ['space', /\s+/y],
  ['text', /'(?:[^'\\]|''|\\.)*'/sy],
  ['quoted', /"[^"]+"/y],
  ['number', /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y],
  ['name', /[\p{L}_:][\p{L}\p{N}_:.]*/uy],
  ['sign', /<>|<=|>=|[=<>(),+-]/y],
]

/** Splits a filter into tokens. @throws 400 for what none begins with */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; ) {
    const token = tokenAt(text, at)
    if (token.kind !== 'space') tokens.push({ kind: token.kind, value: textOf(token.kind, token.raw), at })
    at += token.raw.length
  }
  return [...tokens, { kind: 'end', value: '', at: text.length }]
}

function tokenAt(text: string, at: number) {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at
    const [raw] = pattern.exec(text) ?? []
    if (raw) return { kind, raw }
  }
  const [sign] = text.slice(at)
  throw filterFault(
    sign === "'" || sign === '"'
      ? `has a ${sign} at character ${at + 1} without its end`
      : `has an unexpected ${sign} at character ${at + 1}`,
  )
}

/** Characters that a text may have as a backslash and a letter (21-065r2, /req/cql2-text/escaping). */
const CONTROLS: Record<string, string> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
}

/** In a text a quote is written twice or after a backslash, and a backslash twice, as QGIS does; one before a character that it does not escape stays, as LIKE escapes with it. */
function textOf(kind: Token['kind'], raw: string): string {
  const unescaped = (pair: string) => CONTROLS[pair[1]!] ?? (/['\\]$/.test(pair) ? pair[1]! : pair)
  if (kind === 'text') return raw.slice(1, -1).replace(/''|\\./gs, unescaped)
  return kind === 'quoted' ? raw.slice(1, -1) : raw
}
