import { isId } from '../../platform/ids.ts'
import { counted, type Group, JSON_OUTPUT, printResult } from '../command.ts'
import { type App, assertNoArguments, OPERATOR, readOptions, UsageError, withApp } from '../context.ts'
import { APP_KEYS } from './app-keys.ts'

const PAGE = 500

/** Lists all apps, oldest first. */
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

/** Creates an app, and prints its key. */
async function create(args: string[]) {
  const { values, positionals } = readOptions(args, {
    owner: { type: 'string' },
    description: { type: 'string' },
    public: { type: 'boolean' },
    ...JSON_OUTPUT,
  })
  const [name, ...more] = positionals
  if (!name || more.length > 0) throw new UsageError('Name the app, in one word or in quotes')
  if (!values.owner) throw new UsageError('Name the owner: --owner NAME')
  if (name.length > 100) throw new UsageError('A name can have at most 100 characters')
  const description = values.description ?? name
  if (description.length < 1 || description.length > 500)
    throw new UsageError('A description must have 1 to 500 characters')
  await withApp(async (app) => {
    const { id } = await userOf(app, values.owner!)
    const visibility = values.public ? 'PUBLIC' : 'PRIVATE'
    const made = await app.operator.apps.create(
      id,
      { name, description, visibility, environment: 'production' },
      OPERATOR,
    )
    printResult(values, made, `${made.id}\n${made.apiKey}`)
  })
}

/** Shows an app with its whole key; writes an audit entry. */
async function show(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  const id = theId(positionals)
  await withApp(async (app) => {
    const found = await app.operator.apps.show(id, OPERATOR)
    const lines = Object.entries(found).map(([name, value]) => `${name.padEnd(12)} ${value ?? '-'}`)
    printResult(values, found, lines.join('\n'))
  })
}

/** Creates another key; earlier ones end at once or after a grace period. */
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

/** Deletes an app with all its data. */
async function remove(args: string[]) {
  const { values, positionals } = readOptions(args, { name: { type: 'string' }, ...JSON_OUTPUT })
  const id = theId(positionals)
  await withApp(async (app) => {
    // A job deletes its rows.
    await app.jobs.start({ work: false })
    await app.operator.apps.remove(id, values.name, OPERATOR).finally(app.jobs.stop)
    printResult(
      values,
      { id, deleted: true },
      `${id} is deleted; its players and scores are being deleted in the background`,
    )
  })
}

async function userOf(app: App, name: string) {
  const found = await app.operator.findUser(name)
  if (!found) throw new Error(`There is no user "${name}": name a login, a local user, or a user's id`)
  return found
}

function theId(words: string[]): string {
  const [id, ...more] = words
  if (!id || more.length > 0) throw new UsageError('Name the app by its id')
  if (!isId(id)) throw new Error(`There is no app "${id}": cairn app list shows the ids`)
  return id
}

const ID: [string, string] = ['ID', 'the app’s id: cairn app list']

export const APPS: Group = {
  title: 'Apps and their keys',
  commands: [
    {
      words: 'app list',
      usage: '[--owner NAME] [--json]',
      summary: 'list all apps',
      options: [['--owner NAME', 'apps of this user only: a login, a local user’s name, or a user’s id']],
      examples: [['cairn app list', 'ids, owners and names, oldest first']],
      run: list,
    },
    {
      words: 'app create',
      usage: 'NAME --owner USER [--description TEXT] [--public] [--json]',
      summary: 'create an app, and print its id and its key',
      options: [
        ['--owner USER', 'the owner of the app'],
        ['--description TEXT', 'by default its name'],
        ['--public', 'list the app publicly'],
      ],
      examples: [['cairn app create "Park trail" --owner ada', 'a server key: keep it out of the game']],
      run: create,
    },
    {
      words: 'app show',
      usage: 'ID [--json]',
      summary: 'show an app with its whole key; this is recorded in the audit log',
      options: [ID],
      examples: [['cairn app show 0198c0de-…', 'if the key was lost']],
      run: show,
    },
    {
      words: 'app rotate',
      usage: 'ID [--grace SECONDS] [--json]',
      summary: 'replace the key of an app, and print the new one',
      options: [
        ID,
        [
          '--grace SECONDS',
          'how long earlier keys stay valid: 0 by default, at most 30 days; additional keys stay valid',
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
      summary: 'delete an app with all its data, permanently',
      options: [
        ID,
        ['--name NAME', 'the app’s name, as a confirmation; without it, the command only shows what would be deleted'],
      ],
      examples: [['cairn app delete 0198c0de-… --name "Park trail"', 'deletes players, sessions and scores too']],
      run: remove,
    },
  ],
}
