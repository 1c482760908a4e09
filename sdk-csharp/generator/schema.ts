/** The parts of a JSON schema that the generator reads. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  description?: string
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
}

type Content = Record<string, { schema?: Schema }>

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

export type Operation = {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}

export type OpenApi = {
  components: { schemas: Record<string, Schema> }
  paths: Record<string, Record<string, Operation>>
}

/** `mini-game types` → `MiniGameTypes`. */
export const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + (/^[A-Z]{3,}$/.test(word) ? word.slice(1).toLowerCase() : word.slice(1)))
    .join('')

const KEYWORDS =
  /^(as|base|bool|break|case|char|class|const|default|do|else|event|false|fixed|for|if|in|int|is|lock|long|new|null|object|operator|out|params|private|public|ref|return|string|switch|this|true|using|while)$/

/** The name of an argument: `if-match` → `ifMatch`, `default` → `@default`. */
export const camel = (name: string): string => {
  const joined = pascal(name)
  const lower = joined[0]!.toLowerCase() + joined.slice(1)
  return KEYWORDS.test(lower) ? `@${lower}` : lower
}

/** An XML documentation element in one line. */
export const docs = (text: string | undefined, indent: string, element = 'summary', attributes = ''): string => {
  const escaped = (text ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
  return `${indent}/// <${element}${attributes}>${escaped}</${element}>\n`
}

/** The name of a property in its class, which C# and the members of every model restrict. */
export function memberOf(key: string, className: string): string {
  const member = pascal(key) || 'Value'
  return [className, 'Extra', 'From', 'ToJson'].includes(member) ? `${member}Value` : member
}
