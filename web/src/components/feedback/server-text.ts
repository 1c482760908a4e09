import type { Issue } from '@cairn/sdk'
import { messages } from '../../messages/index.ts'
import { formatNumber } from '../data/format.ts'

const VALUE = /"[^"]*"|-?\d+(?:\.\d+)?/g

/** A sentence of the service in the language of the console, with its numbers and quoted names; as it is without a translation. */
export const serverText = (text: string): string => translated(text, messages.common.server) ?? text

/** What is wrong with a value, in the language of the console; undefined without a translation. */
export function issueText({ message }: Pick<Issue, 'message'>): string | undefined {
  // The most common one, and the least helpful.
  if (message === 'Too small: expected string to have >=1 characters') return messages.common.needed
  return translated(message, messages.common.validation, (value) =>
    Number.isNaN(Number(value)) ? value : formatNumber(Number(value)),
  )
}

/** Why the service refused calls: a sentence, or a member and what is wrong with it. */
export function reasonText(reason: string): string {
  const [, member, message] = /^([\w.…]+): (.+)$/s.exec(reason) ?? []
  const text = message && issueText({ message })
  return text ? `${member}: ${text}` : serverText(reason)
}

/** The text of a sentence as it is, such as a singular, or of that with `#` for its values. */
function translated(text: string, known: Record<string, string>, format = (value: string) => value) {
  const values = text.match(VALUE) ?? []
  let next = 0
  return known[text] ?? known[text.replace(VALUE, '#')]?.replaceAll('#', () => format(values[next++] ?? ''))
}
