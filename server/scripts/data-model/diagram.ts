import type { Reference, Table } from './catalog.ts'

/** A Mermaid entity-relationship diagram of some tables: their key columns, and their foreign keys to any table. */
export function diagramOf(tables: Table[], all: Table[]): string {
  const named = new Set(tables.map(({ name }) => name))
  const relations = all.flatMap(({ references }) => references).filter(({ table }) => named.has(table))
  return [
    '```mermaid',
    'erDiagram',
    ...relations.map((reference) => `  ${relation(reference, all)}`),
    ...tables.flatMap(entity),
    '```',
  ].join('\n')
}

/** How many rows of each side belong to one of the other. */
function relation({ table: name, columns, to }: Reference, all: Table[]): string {
  const table = all.find((one) => one.name === name)!
  const isOptional = table.columns.some((column) => columns.includes(column.name) && column.isNullable)
  const isUnique = table.keys.some((key) => key.columns.join() === columns.join())
  return `${to} ${isOptional ? '|o' : '||'}--${isUnique ? 'o|' : 'o{'} ${name} : "${columns.join(', ')}"`
}

function entity({ name, columns, keys, references }: Table): string[] {
  const primary = keys.find((key) => key.isPrimary)?.columns ?? []
  const foreign = references.flatMap((reference) => reference.columns)
  const lines = columns.flatMap((column) => {
    const marks = [primary.includes(column.name) && 'PK', foreign.includes(column.name) && 'FK'].filter(Boolean)
    return marks.length === 0 ? [] : [`    ${column.type.replace(/\W+/g, '_')} ${column.name} ${marks.join(', ')}`]
  })
  return lines.length === 0 ? [`  ${name}`] : [`  ${name} {`, ...lines, '  }']
}
