/** A value as OpenUSD prints it: tuples and lists are arrays, paths, assets and tokens are strings. */
export type UsdValue = number | string | boolean | null | UsdValue[]
export type UsdAttribute = {
  value?: UsdValue
  /** Time codes, ascending, with a value each. */
  samples?: { times: number[]; values: UsdValue[] }
  metadata: Record<string, UsdValue>
}
export type UsdPrim = {
  path: string
  type: string
  parent: string
  attributes: Map<string, UsdAttribute>
  targets: Map<string, string[]>
}

/**
 * Parses the text of a flattened stage by OpenUSD: all its prims by path. Supports what OpenUSD itself writes for composed
 * prims, attributes, time samples and relationships, and fails for anything else.
 */
export function primsOf(text: string): Map<string, UsdPrim> {
  const prims = new Map<string, UsdPrim>()
  let at = 0

  const fail = (): never => {
    throw new Error(`The stage's text cannot be parsed at "${text.slice(at, at + 40)}".`)
  }
  const blank = /(?:\s|#[^\n]*)*/y
  const skip = () => {
    blank.lastIndex = at
    blank.exec(text)
    at = blank.lastIndex
  }
  const matches = (pattern: RegExp): string | undefined => {
    skip()
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found?.[0]
  }
  const takes = (mark: string): boolean => {
    skip()
    if (!text.startsWith(mark, at)) return false
    at += mark.length
    return true
  }
  const need = (mark: string) => takes(mark) || fail()

  const listUntil = (end: string): UsdValue[] => {
    const list: UsdValue[] = []
    while (!takes(end)) {
      list.push(value())
      takes(',')
    }
    return list
  }
  const quoted = (): string | undefined => {
    const long = matches(/"""[\s\S]*?"""/y) ?? matches(/'''[\s\S]*?'''/y)
    if (long) return long.slice(3, -3)
    return (matches(/"(?:[^"\\]|\\.)*"/y) ?? matches(/'(?:[^'\\]|\\.)*'/y))?.slice(1, -1)
  }
  const value = (): UsdValue => {
    if (takes('(')) return listUntil(')')
    if (takes('[')) return listUntil(']')
    const number = matches(/-?(?:inf|nan|\d+(?:\.\d+)?(?:e[+-]?\d+)?)/y)
    if (number !== undefined) return Number(number.replace('inf', 'Infinity'))
    const string = quoted()
    if (string !== undefined) return string
    const marked = matches(/<[^>]*>/y) ?? matches(/@[^@]*@/y)
    if (marked !== undefined) return marked.slice(1, -1)
    const word = matches(/[A-Za-z_][\w:]*/y) ?? fail()
    return word === 'None' ? null : word === 'true' ? true : word === 'false' ? false : word
  }
  const dictionary = () => {
    for (need('{'); !takes('}'); ) {
      matches(/[\w[\]]+/y)
      quoted() ?? matches(/[\w:]+/y)
      need('=')
      skip()
      if (text[at] === '{') dictionary()
      else value()
      takes(',')
    }
  }
  /** The metadata in parentheses after a prim or a property: names and values, documentation, dictionaries. */
  const metadata = (): Record<string, UsdValue> => {
    const found: Record<string, UsdValue> = {}
    if (!takes('(')) return found
    while (!takes(')')) {
      if (quoted() !== undefined) continue
      matches(/(?:prepend|append|add|delete)\b/y)
      const name = matches(/[\w:]+/y) ?? fail()
      need('=')
      skip()
      if (text[at] === '{') dictionary()
      else found[name] = value()
    }
    return found
  }
  const samples = () => {
    const [times, values]: [number[], UsdValue[]] = [[], []]
    for (need('{'); !takes('}'); takes(',')) {
      times.push(Number(matches(/-?[\d.e+-]+/y) ?? fail()))
      need(':')
      values.push(value())
    }
    return { times, values }
  }
  const property = (prim: UsdPrim) => {
    matches(/(?:custom|uniform|varying)\b/y)
    matches(/(?:prepend|append)\b/y)
    const type = matches(/\w+(?:\[\])?/y) ?? fail()
    const name = matches(/[\w:]+/y) ?? fail()
    const field = matches(/\.(?:timeSamples|connect)/y)
    if (type === 'rel') {
      const target = takes('=') ? value() : []
      prim.targets.set(name, (Array.isArray(target) ? target : [target]) as string[])
      metadata()
      return
    }
    const attribute: UsdAttribute = prim.attributes.get(name) ?? { metadata: {} }
    prim.attributes.set(name, attribute)
    if (takes('=')) {
      if (field === '.timeSamples') attribute.samples = samples()
      else if (field === '.connect') value()
      else attribute.value = value()
    }
    Object.assign(attribute.metadata, metadata())
  }
  const prim = (parent: string) => {
    const type = matches(/(?!")\w+/y) ?? ''
    const path = `${parent}/${quoted() ?? fail()}`
    metadata()
    const made: UsdPrim = { path, type, parent, attributes: new Map(), targets: new Map() }
    prims.set(path, made)
    for (need('{'); !takes('}'); ) {
      if (matches(/(?:def|over|class)\b/y)) prim(path)
      else if (matches(/reorder [^\n]*/y) === undefined) property(made)
    }
  }

  metadata()
  while (matches(/(?:def|over|class)\b/y)) prim('')
  skip()
  if (at < text.length) fail()
  return prims
}
