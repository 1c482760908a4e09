import { messages } from '../../messages/index.ts'

const VALUE = /"[^"]*"|\d+/g

/** A sentence of the service in the language of the console, with its numbers and quoted names; as it is without a translation. */
export function serverText(text: string): string {
  const values = text.match(VALUE) ?? []
  let next = 0
  const known: Record<string, string> = messages.common.server
  return known[text.replace(VALUE, '#')]?.replaceAll('#', () => values[next++] ?? '') ?? text
}
