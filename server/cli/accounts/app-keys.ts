import { isId } from '../../platform/ids.ts'
import { type Command, JSON_OUTPUT, printResult } from '../command.ts'
import { OPERATOR, readOptions, UsageError, withApp } from '../context.ts'

/** The working keys of an app, masked. */
async function list(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  const [id] = wordsOf(positionals, 1)
  await withApp(async (app) => {
    const apiKeys = await app.operator.apps.keys(id!)
    const lines = apiKeys.map((key) => {
      const end = key.isCurrent ? 'the app’s key' : key.endsAt ? `ends at ${key.endsAt}` : 'additional'
      return `${key.id}  ${key.kind}  ${end}  last used ${key.lastUsedAt ?? 'never'}  ${key.name}`
    })
    printResult(values, { apiKeys }, lines.join('\n'))
  })
}

/** Another key, printed this once. */
async function create(args: string[]) {
  const { values, positionals } = readOptions(args, {
    kind: { type: 'string' },
    name: { type: 'string' },
    ...JSON_OUTPUT,
  })
  const [id] = wordsOf(positionals, 1)
  const { kind, name } = values
  if (kind !== 'server' && kind !== 'client') throw new UsageError('Say which kind: --kind server or --kind client')
  if (!name || name.length > 100) throw new UsageError('Say what the key is for, in 1 to 100 characters: --name NAME')
  await withApp(async (app) => {
    const made = await app.operator.apps.createKey(id!, { kind, name }, OPERATOR)
    printResult(values, made, made.apiKey)
  })
}

/** Ends a key; the app's own is rotated instead. */
async function remove(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  const [id, keyId] = wordsOf(positionals, 2)
  await withApp(async (app) => {
    await app.operator.apps.endKey(id!, keyId!, OPERATOR)
    printResult(values, { id, keyId, deleted: true }, `${keyId} is deleted, and stops working within a second`)
  })
}

function wordsOf(words: string[], count: 1 | 2): string[] {
  if (words.length !== count)
    throw new UsageError(count === 1 ? 'Say which app: its id' : 'Say which app and which key: their ids')
  if (!isId(words[0]!)) throw new Error(`There is no app "${words[0]}": cairn app list shows the ids`)
  return words
}

const APP: [string, string] = ['APP', 'the app’s id: cairn app list']

export const APP_KEYS: Command[] = [
  {
    words: 'app key list',
    usage: 'APP [--json]',
    summary: 'list the working keys of an app, masked',
    options: [APP],
    examples: [['cairn app key list 0198c0de-…', 'ids, kinds, last use and names, newest first']],
    run: list,
  },
  {
    words: 'app key create',
    usage: 'APP --kind KIND --name NAME [--json]',
    summary: 'create an additional key for an app, and print it once',
    options: [
      APP,
      ['--kind KIND', 'server: all rights; client: may ship in a game, and only reads'],
      ['--name NAME', 'what the key is for'],
    ],
    examples: [['cairn app key create 0198c0de-… --kind client --name "Game 2.1"', 'the key for a build']],
    run: create,
  },
  {
    words: 'app key delete',
    usage: 'APP KEY [--json]',
    summary: 'revoke an additional key, or one that was rotated',
    options: [APP, ['KEY', 'the key’s id: cairn app key list']],
    examples: [['cairn app key delete 0198c0de-… 8fK2mQ0x', 'for a key that leaked']],
    run: remove,
  },
]
