import type { Expression, GeometryLiteral, Operand } from '../../modules/features/cql2/expression.ts'

/** A filter as CQL2 text, with no more parentheses than precedence asks for. */
export function textOf(expression: Expression): string {
  if (typeof expression === 'boolean') return String(expression).toUpperCase()
  const { op, args } = expression
  const inside = (arg: Expression, weaker: string[]) =>
    typeof arg === 'object' && weaker.includes(arg.op) ? `(${textOf(arg)})` : textOf(arg)
  if (op === 'or') return args.map((arg) => inside(arg, ['or'])).join(' OR ')
  if (op === 'and') return args.map((arg) => inside(arg, ['and', 'or'])).join(' AND ')
  if (op === 'not') return `NOT ${inside(args[0], ['and', 'or'])}`
  if (op === 'isNull') return `${valueText(args[0])} is null`
  if (op === 'like') return `${valueText(args[0])} LIKE ${valueText(args[1])}`
  if (op === 'in') return `${valueText(args[0])} In (${args[1].map(valueText).join(', ')})`
  if (op === 'between') return `${valueText(args[0])} BETWEEN ${valueText(args[1])} AND ${valueText(args[2])}`
  if (op === 's_intersects') return `S_INTERSECTS(${args.map(geometryText).join(',')})`
  const [left, right] = args as [Operand, Operand]
  return `${valueText(left)}${op}${valueText(right)}`
}

function valueText(operand: Operand): string {
  if (typeof operand === 'string') return `'${operand.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
  if (typeof operand !== 'object') return String(operand)
  if ('property' in operand) return operand.property === 'title' ? '"title"' : operand.property
  return 'date' in operand ? `DATE('${operand.date}')` : `TIMESTAMP('${operand.timestamp}')`
}

function geometryText(side: { property: string } | GeometryLiteral): string {
  if ('property' in side) return side.property
  if ('bbox' in side) return `BBOX(${side.bbox.join(',')})`
  const text = (part: unknown[]): string =>
    typeof part[0] === 'number' ? part.join(' ') : `(${part.map((one) => text(one as unknown[])).join(', ')})`
  return side.type === 'Point'
    ? `POINT(${text(side.coordinates)})`
    : `${side.type.toUpperCase()}${text(side.coordinates)}`
}
