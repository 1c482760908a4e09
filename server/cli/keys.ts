import type { KeyState } from '../platform/credentials/signing-keys.ts'
import { readOptions, UsageError, withApp } from './operator.ts'

const JSON_OUTPUT = { json: { type: 'boolean' } } as const

/** Which keys sign session tokens, or did. */
export async function keysList(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  noWords(positionals)
  await withApp(async (app) => tell(await app.identity.listKeys(), values.json))
}

/** The next signing key. It is published first and signs later, so that nobody is logged out; with --now, for a key that leaked, the present ones end at once and everybody signs in again. */
export async function keysRotate(args: string[]) {
  const { values, positionals } = readOptions(args, { now: { type: 'boolean' }, ...JSON_OUTPUT })
  noWords(positionals)
  await withApp(async (app) => tell(await app.identity.rotateKeys({ now: values.now ?? false }), values.json))
}

function noWords(words: string[]) {
  if (words.length > 0) throw new UsageError(`"${words[0]}" is one word too many`)
}

function tell(keys: KeyState[], json: boolean | undefined) {
  if (json) return console.log(JSON.stringify({ keys }))
  for (const { kid, state, signsFrom, endsAt } of keys)
    console.log(`${kid}  ${state.padEnd(8)}  signs from ${signsFrom}${endsAt ? `, counts until ${endsAt}` : ''}`)
}
