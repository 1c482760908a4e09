import { isId } from '../../platform/ids.ts'
import { counted, type Group, JSON_OUTPUT, printResult } from '../command.ts'
import { type App, assertNoArguments, OPERATOR, readOptions, UsageError, withApp } from '../context.ts'
import { APP_KEYS } from './app-keys.ts'

const PAGE = 500

/** Every app there is, oldest first. */
async function list(args: string[]) {
  const { values, positionals } = readOptions(args, { owner: { type: 'string' }, ...JSON_OUTPUT })
  assertNoArguments(positionals)
  await withApp(async (app) => {
    const ownerId = values.owner === undefined ? undefined : (await userOf(app, values.owner)).id
    const apps = []
    let cursor: string | undefined
    do {
      const page = await app.operator.apps.list({ limit: PAGE, cursor })
      apps.push(...page.rows.filter((one) => ownerId === undefined || one.ownerId === ownerId))
      cursor = page.next
    } while (cursor)
    const lines = apps.map((one) => `${one.id}  ${one.visibility.padEnd(7)}  owner ${one.ownerId}  ${one.name}`)
    printResult(values, { apps }, [...lines, counted(apps.length, 'app')].join('\n'))
  })
}

/** A new app, with its key. */
async function create(args: string[]) {
  const { values, positionals } = readOptions(args, {
    owner: { type: 'string' },
    description: { type: 'string' },
    public: { type: 'boolean' },
    ...JSON_OUTPUT,
  })
  const [name, ...more] = positionals
  if (!name || more.length > 0) throw new UsageError('Say what the app is called, in one word or in quotes')
  if (!values.owner) throw new UsageError('Say whose it is: --owner NAME')
  if (name.length > 100) throw new UsageError('A name has 100 characters at most')
  const description = values.description ?? name
  if (description.length < 1 || description.length > 500) throw new UsageError('A description has 1 to 500 characters')
  await withApp(async (app) => {
    const { id } = await userOf(app, values.owner!)
    const visibility = values.public ? 'PUBLIC' : 'PRIVATE'
    const made = await app.operator.apps.create(id, { name, description, visibility }, OPERATOR)
    printResult(values, made, `${made.id}\n${made.apiKey}`)
  })
}

/** An app with its whole key, which the audit log tells of. */
async function show(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  const id = theId(positionals)
  await withApp(async (app) => {
    const found = await app.operator.apps.show(id, OPERATOR)
    const lines = Object.entries(found).map(([name, value]) => `${name.padEnd(12)} ${value ?? '-'}`)
    printResult(values, found, lines.join('\n'))
  })
}

/** Another key; those before end, at once or after a time. */
async function rotate(args: string[]) {
  const { values, positionals } = readOptions(args, { grace: { type: 'string' }, ...JSON_OUTPUT })
  const id = theId(positionals)
  const grace = Number(values.grace ?? 0)
  if (!Number.isInteger(grace) || grace < 0 || grace > 2_592_000)
    throw new UsageError('--grace needs whole seconds from 0 to 2592000 (30 days)')
  await withApp(async (app) => {
    const made = await app.operator.apps.rotate(id, grace, OPERATOR)
    printResult(values, made, made.apiKey)
  })
}

/** The app and all it has. */
async function remove(args: string[]) {
  const { values, positionals } = readOptions(args, { name: { type: 'string' }, ...JSON_OUTPUT })
  const id = theId(positionals)
  await withApp(async (app) => {
    // Its rows go in a job.
    await app.jobs.start({ work: false })
    await app.operator.apps.remove(id, values.name, OPERATOR).finally(app.jobs.stop)
    printResult(values, { id, deleted: true }, `${id} is deleted; its players and scores go in the background`)
  })
}

async function userOf(app: App, name: string) {
  const found = await app.operator.findUser(name)
  if (!found) throw new Error(`There is no user "${name}": name a login, a local user, or a user's id`)
  return found
}

function theId(words: string[]): string {
  const [id, ...more] = words
  if (!id || more.length > 0) throw new UsageError('Say which app: its id')
  if (!isId(id)) throw new Error(`There is no app "${id}": cairn app list names them`)
  return id
}

const ID: [string, string] = ['ID', 'the app’s id: cairn app list']

export const APPS: Group = {
  title: 'Apps and their keys',
  commands: [
    {
      words: 'app list',
      usage: '[--owner NAME] [--json]',
      summary: 'every app there is',
      options: [['--owner NAME', 'of this user only: a login, a local user’s name, or a user’s id']],
      examples: [['cairn app list', 'ids, owners and names, oldest first']],
      run: list,
    },
    {
      words: 'app create',
      usage: 'NAME --owner USER [--description TEXT] [--public] [--json]',
      summary: 'make an app, and print its id and its key',
      options: [
        ['--owner USER', 'whose it is'],
        ['--description TEXT', 'its name unless said'],
        ['--public', 'listed for everybody'],
      ],
      examples: [['cairn app create "Park trail" --owner ada', 'a server key: keep it out of the game']],
      run: create,
    },
    {
      words: 'app show',
      usage: 'ID [--json]',
      summary: 'an app with its whole key; the audit log tells of it',
      options: [ID],
      examples: [['cairn app show 0198c0de-…', 'when the key was lost']],
      run: show,
    },
    {
      words: 'app rotate',
      usage: 'ID [--grace SECONDS] [--json]',
      summary: 'give an app another key, and print it',
      options: [
        ID,
        [
          '--grace SECONDS',
          'how long the keys before go on working: 0 unless said, 30 days at most; additional keys stay',
        ],
      ],
      examples: [
        ['cairn app rotate 0198c0de-…', 'for a key that leaked'],
        ['cairn app rotate 0198c0de-… --grace 604800', 'a week for players to update the game'],
      ],
      run: rotate,
    },
    ...APP_KEYS,
    {
      words: 'app delete',
      usage: 'ID --name NAME [--json]',
      summary: 'delete an app with all it has, for good',
      options: [
        ID,
        ['--name NAME', 'the app’s name, as a proof that it is the one; without it you are told what would go'],
      ],
      examples: [['cairn app delete 0198c0de-… --name "Park trail"', 'players, sessions and scores go with it']],
      run: remove,
    },
  ],
}
