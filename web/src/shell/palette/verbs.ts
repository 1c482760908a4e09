import { messages } from '../../messages/index.ts'

export type Verb = keyof typeof messages.shell.verbs
export const VERBS = Object.keys(messages.shell.verbs) as Verb[]

/** What a query asks for: "ban ada" bans what "ada" finds. */
export function readVerb(query: string): { verb?: Verb; search: string } {
  const [, word = '', search = ''] = /^\s*(\S+)\s+(.*)$/.exec(query) ?? []
  const verb = VERBS.find((verb) => messages.shell.verbs[verb].word === word.toLowerCase())
  return verb ? { verb, search: search.trim() } : { search: '' }
}
