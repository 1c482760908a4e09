import type { KeyState } from '../../platform/credentials/signing-keys.ts'
import type { Group } from '../command.ts'
import { assertNoArguments, readOptions, withApp } from '../context.ts'

const JSON_OUTPUT = { json: { type: 'boolean' } } as const

/** Which keys sign session tokens, or did. */
async function keysList(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  assertNoArguments(positionals)
  await withApp(async (app) => tell(await app.identity.listKeys(), values.json))
}

/** The next signing key. It is published first and signs later, so that nobody is logged out; with --now, for a key that leaked, the present ones end at once and everybody signs in again. */
async function keysRotate(args: string[]) {
  const { values, positionals } = readOptions(args, { now: { type: 'boolean' }, ...JSON_OUTPUT })
  assertNoArguments(positionals)
  await withApp(async (app) => tell(await app.identity.rotateKeys({ now: values.now ?? false }), values.json))
}

function tell(keys: KeyState[], json: boolean | undefined) {
  if (json) return console.log(JSON.stringify({ keys }))
  for (const { kid, state, signsFrom, endsAt } of keys)
    console.log(`${kid}  ${state.padEnd(8)}  signs from ${signsFrom}${endsAt ? `, counts until ${endsAt}` : ''}`)
}

export const KEYS: Group = {
  title: 'Keys that session tokens are signed with',
  commands: [
    {
      words: 'keys list',
      usage: '[--json]',
      summary: 'the keys that sign session tokens, or did',
      examples: [['cairn keys list', 'next: published, signs soon. signing: signs now']],
      run: keysList,
    },
    {
      words: 'keys rotate',
      usage: '[--now] [--json]',
      summary: 'publish the next signing key',
      about: 'It signs after ten minutes, and nobody is logged out.',
      options: [['--now', 'for a key that leaked: the present ones end at once, and everybody signs in again']],
      examples: [
        ['cairn keys rotate', 'from time to time'],
        ['cairn keys rotate --now', 'after a leak'],
      ],
      run: keysRotate,
    },
  ],
}
