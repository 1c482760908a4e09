import type { KeyState } from '../../platform/credentials/signing-keys.ts'
import type { Group } from '../command.ts'
import { assertNoArguments, readOptions, withApp } from '../context.ts'

const JSON_OUTPUT = { json: { type: 'boolean' } } as const

/** Lists current and former signing keys of session tokens. */
async function keysList(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  assertNoArguments(positionals)
  await withApp(async (app) => print(await app.identity.listKeys(), values.json))
}

/** Publishes the next signing key, which signs later, so that sessions stay valid. With --now, for a leaked key, the current keys end at once and everyone must sign in again. */
async function keysRotate(args: string[]) {
  const { values, positionals } = readOptions(args, { now: { type: 'boolean' }, ...JSON_OUTPUT })
  assertNoArguments(positionals)
  await withApp(async (app) => print(await app.identity.rotateKeys({ now: values.now ?? false }), values.json))
}

function print(keys: KeyState[], json: boolean | undefined) {
  if (json) return console.log(JSON.stringify({ keys }))
  for (const { kid, state, signsFrom, endsAt } of keys)
    console.log(`${kid}  ${state.padEnd(8)}  signs from ${signsFrom}${endsAt ? `, valid until ${endsAt}` : ''}`)
}

export const KEYS: Group = {
  title: 'Signing keys of session tokens',
  commands: [
    {
      words: 'keys list',
      usage: '[--json]',
      summary: 'list current and former signing keys',
      examples: [['cairn keys list', 'next: published, signs soon. signing: signs now']],
      run: keysList,
    },
    {
      words: 'keys rotate',
      usage: '[--now] [--json]',
      summary: 'publish the next signing key',
      about: 'It signs after ten minutes. All sessions stay valid.',
      options: [['--now', 'for a leaked key: the current keys end at once, and everyone must sign in again']],
      examples: [
        ['cairn keys rotate', 'as a routine'],
        ['cairn keys rotate --now', 'after a leak'],
      ],
      run: keysRotate,
    },
  ],
}
