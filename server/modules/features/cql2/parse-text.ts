import {
  type Budget,
  COMPARISONS,
  type Comparison,
  createBudget,
  type Expression,
  filterFault,
  type GeometryLiteral,
  MAX_DEPTH,
  type Operand,
} from './expression.ts'
import { type Token, tokensOf } from './tokens.ts'
import { geometryReader } from './wkt.ts'

const BOOLEANS: Record<string, boolean> = { TRUE: true, FALSE: false }

/** What reads tokens in turn. */
export type Reader = ReturnType<typeof readerOf>

function readerOf(tokens: Token[]) {
  let next = 0
  const peek = () => tokens[next]!
  const fault = (wanted: string) => {
    const { kind, value, at } = peek()
    return filterFault(
      kind === 'end'
        ? `ends where ${wanted} is missing`
        : `has "${value.slice(0, 40)}" at character ${at + 1} where ${wanted} is expected`,
    )
  }
  const is = (kind: Token['kind'], value: string) =>
    peek().kind === kind && (kind === 'name' ? peek().value.toUpperCase() : peek().value) === value
  const take = (kind: Token['kind'], value: string): boolean => {
    if (!is(kind, value)) return false
    next++
    return true
  }
  return {
    peek,
    fault,
    advance: () => tokens[next++]!,
    is,
    /** Whether the next token is this one, which is then read. */
    take,
    takeWord: (word: string) => take('name', word),
    /** @throws 400 */
    need(kind: Token['kind'], value: string) {
      if (!take(kind, value)) throw fault(value)
    },
    /** Whether this word with an opening parenthesis follows. */
    isCall: (word: string) => is('name', word) && tokens[next + 1]!.kind === 'sign' && tokens[next + 1]!.value === '(',
  }
}

/** Reads a filter in CQL2 text (OGC 21-065r2, annex B). @throws 400 */
export function parseText(text: string): Expression {
  const reader = readerOf(tokensOf(text))
  const expression = disjunction(reader, createBudget(), 1)
  if (reader.peek().kind !== 'end') throw reader.fault('the end, AND or OR')
  return expression
}

function disjunction(reader: Reader, budget: Budget, depth: number): Expression {
  budget.enter(depth)
  const args = [conjunction(reader, budget, depth)]
  while (reader.takeWord('OR')) args.push(conjunction(reader, budget, depth))
  return args.length === 1 ? args[0]! : { op: 'or', args }
}

function conjunction(reader: Reader, budget: Budget, depth: number): Expression {
  const args = [negation(reader, budget, depth)]
  while (reader.takeWord('AND')) args.push(negation(reader, budget, depth))
  return args.length === 1 ? args[0]! : { op: 'and', args }
}

function negation(reader: Reader, budget: Budget, depth: number): Expression {
  budget.enter(depth)
  if (!reader.takeWord('NOT')) return primary(reader, budget, depth)
  return { op: 'not', args: [negation(reader, budget, depth + 1)] }
}

function primary(reader: Reader, budget: Budget, depth: number): Expression {
  if (reader.take('sign', '(')) {
    const inside = disjunction(reader, budget, depth + 1)
    reader.need('sign', ')')
    return inside
  }
  if (reader.isCall('S_INTERSECTS')) return intersects(reader)
  const left = operand(reader, budget)
  if (typeof left === 'boolean' && !COMPARISONS.includes(reader.peek().value)) return left
  return predicate(reader, budget, left)
}

/** What follows the operand of a predicate. */
function predicate(reader: Reader, budget: Budget, left: Operand): Expression {
  const { kind, value } = reader.peek()
  if (kind === 'sign' && COMPARISONS.includes(value)) {
    reader.advance()
    return { op: value as Comparison, args: [left, operand(reader, budget)] }
  }
  if (reader.takeWord('IS')) {
    const isNegated = reader.takeWord('NOT')
    if (!reader.takeWord('NULL')) throw reader.fault('NULL')
    return negatedIf(isNegated, { op: 'isNull', args: [left] })
  }
  const isNegated = reader.takeWord('NOT')
  if (reader.takeWord('LIKE')) return negatedIf(isNegated, { op: 'like', args: [left, operand(reader, budget)] })
  if (reader.takeWord('BETWEEN')) {
    const low = operand(reader, budget)
    if (!reader.takeWord('AND')) throw reader.fault('AND')
    return negatedIf(isNegated, { op: 'between', args: [left, low, operand(reader, budget)] })
  }
  if (reader.takeWord('IN')) {
    reader.need('sign', '(')
    const list = [operand(reader, budget)]
    while (reader.take('sign', ',')) list.push(operand(reader, budget))
    reader.need('sign', ')')
    return negatedIf(isNegated, { op: 'in', args: [left, list] })
  }
  throw reader.fault('a comparison, LIKE, BETWEEN, IN or IS NULL')
}

const negatedIf = (isNegated: boolean, expression: Expression): Expression =>
  isNegated ? { op: 'not', args: [expression] } : expression

function operand(reader: Reader, budget: Budget): Operand {
  budget.enter(1)
  for (const [word, member] of [
    ['TIMESTAMP', 'timestamp'],
    ['DATE', 'date'],
  ] as const)
    if (reader.isCall(word)) return { [member]: instant(reader) } as Operand
  const { kind, value } = reader.peek()
  if (kind === 'sign' && (value === '-' || value === '+' || value === '(')) return number(reader)
  if (kind === 'number') return number(reader)
  if (kind === 'text') return reader.advance().value
  if (kind === 'quoted') return { property: reader.advance().value }
  if (kind !== 'name') throw reader.fault('a property or a value')
  const known = BOOLEANS[value.toUpperCase()]
  reader.advance()
  return known ?? { property: value }
}

/** A number, which QGIS may write as `( - (5))`. */
function number(reader: Reader, depth = 1): number {
  if (depth > MAX_DEPTH) throw reader.fault('a number')
  if (reader.take('sign', '-')) return -number(reader, depth + 1)
  if (reader.take('sign', '(')) {
    const inside = number(reader, depth + 1)
    reader.need('sign', ')')
    return inside
  }
  reader.take('sign', '+')
  if (reader.peek().kind !== 'number') throw reader.fault('a number')
  return Number(reader.advance().value)
}

/** `TIMESTAMP('…')` and `DATE('…')`. */
function instant(reader: Reader): string {
  reader.advance()
  reader.need('sign', '(')
  if (reader.peek().kind !== 'text') throw reader.fault('a time in quotes')
  const { value } = reader.advance()
  reader.need('sign', ')')
  return value
}

function intersects(reader: Reader): Expression {
  reader.advance()
  reader.need('sign', '(')
  const read = geometryReader(reader, () => number(reader))
  const side = (): { property: string } | GeometryLiteral => {
    const { kind, value } = reader.peek()
    if (kind === 'quoted') return { property: reader.advance().value }
    const literal = read()
    if (literal) return literal
    if (kind !== 'name') throw reader.fault('a geometry')
    reader.advance()
    return { property: value }
  }
  const left = side()
  reader.need('sign', ',')
  const right = side()
  reader.need('sign', ')')
  return { op: 's_intersects', args: [left, right] }
}
