import { counted, type Group, JSON_OUTPUT, printResult } from '../command.ts'
import { type App, OPERATOR, readOptions, UsageError, withApp } from '../context.ts'
import { readPassword } from './password.ts'

type Role = 'admin' | 'ops'

/** A session token for a local user: how an operator gets in without an identity provider. Needs the service's secret, so only who may read the data folder (or CAIRN_SECRET) can do it. */
async function userToken(args: string[]) {
  const { values, positionals } = readOptions(args, { ...NAME, ...ROLE, ...JSON_OUTPUT })
  noMore(positionals, 0)
  if (!values.name) throw new UsageError('Say whose token: --name NAME')
  const roles = knownRoles(values.role)
  await withApp(async (app) => {
    const known = await app.localUser(values.name!)
    const user = roles ? await granted(app, known.id, roles) : known
    const { token, expiryTime } = await app.operator.openSession(user)
    printResult(values, { userId: user.id, sessionToken: token, expiryTime }, token)
  })
}

/** Makes an account with a password on this box. */
export async function userAdd(args: string[]) {
  const { values, positionals } = readOptions(args, {
    email: { type: 'string' },
    ...ROLE,
    ...PASSWORD,
    ...JSON_OUTPUT,
  })
  const login = theName(positionals)
  const roles = knownRoles(values.role)
  const email = values.email
  if (email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new UsageError(`"${email}" is not an e-mail address`)
  const password = await readPassword({ fromStdin: values['password-stdin'] ?? false })
  await withApp(async ({ operator }) => {
    const made = await operator.accounts.add({ login, password, email, roles }, OPERATOR)
    const given = operator.users.rolesOf(made.user)
    const record = { userId: made.user.id, login: made.login, email: made.user.email, roles: given }
    printResult(values, record, `${made.login} can sign in${given.length > 0 ? ` as ${given.join(', ')}` : ''}`)
  })
}

/** Another password; whoever is signed in as that user is signed out. */
export async function userPassword(args: string[]) {
  const { values, positionals } = readOptions(args, { ...PASSWORD, ...JSON_OUTPUT })
  const login = theName(positionals)
  const password = await readPassword({ fromStdin: values['password-stdin'] ?? false })
  await withApp(async ({ operator }) => {
    const account = await operator.accounts.changePassword(login, password, OPERATOR)
    printResult(
      values,
      { userId: account.userId, login: account.login },
      `${account.login} has a new password, and no session`,
    )
  })
}

/** Shows the roles in effect, or replaces those that are granted. */
export async function userRoles(args: string[]) {
  const { values, positionals } = readOptions(args, { none: { type: 'boolean' }, ...ROLE, ...JSON_OUTPUT })
  const name = theName(positionals)
  if (values.none && values.role) throw new UsageError('Say --none or --role, not both')
  const wished = values.none ? [] : knownRoles(values.role)
  await withApp(async (app) => {
    const found = await known(app, name)
    const user = wished ? await granted(app, found.id, wished) : found
    const roles = app.operator.users.rolesOf(user)
    printResult(values, { userId: user.id, roles }, roles.join('\n') || 'none')
  })
}

const PAGE = 500

/** Users, oldest first. */
async function userList(args: string[]) {
  const { values, positionals } = readOptions(args, { query: { type: 'string' }, ...JSON_OUTPUT })
  noMore(positionals, 0)
  await withApp(async ({ operator }) => {
    const users = []
    let cursor: string | undefined
    do {
      const page = await operator.users.list({ limit: PAGE, cursor }, values.query)
      users.push(...page.rows)
      cursor = page.next
    } while (cursor)
    const lines = users.map((user) =>
      [user.id, user.username ?? user.email ?? '-', ...(user.roles.length > 0 ? [user.roles.join(',')] : [])].join(
        '  ',
      ),
    )
    printResult(values, { users }, [...lines, counted(users.length, 'user')].join('\n'))
  })
}

/** Takes a user out of the service, as the user itself could. */
async function userErase(args: string[]) {
  const { values, positionals } = readOptions(args, { yes: { type: 'boolean' }, ...JSON_OUTPUT })
  const name = theName(positionals)
  if (!values.yes) throw new UsageError('This cannot be undone: say --yes')
  await withApp(async (app) => {
    const { id } = await known(app, name)
    const { erased, apps } = await app.operator.users.erase(id, OPERATOR)
    if (apps.length > 0)
      throw new Error(
        `This user owns ${apps.map((one) => `"${one}"`).join(', ')}: delete the apps first (cairn app delete)`,
      )
    if (!erased) throw new Error('This user was deleted')
    printResult(values, { userId: id, erased }, `${name} is erased`)
  })
}

async function known(app: App, name: string) {
  const found = await app.operator.findUser(name)
  if (!found) throw new Error(`There is no user "${name}": name a login, a local user, or a user's id`)
  return found
}

/** The user with these roles and no others. @throws a sentence when that cannot be */
async function granted({ operator }: App, id: string, roles: Role[]) {
  const user = await operator.users.grantRoles(id, roles, OPERATOR)
  if (user === 'last_admin') throw new Error('Nobody would be admin any more: make another admin first')
  if (!user) throw new Error('This user was deleted')
  return user
}

const NAME = { name: { type: 'string' } } as const
const ROLE = { role: { type: 'string', multiple: true } } as const
const PASSWORD = { 'password-stdin': { type: 'boolean' } } as const

function theName(words: string[]): string {
  noMore(words, 1)
  if (!words[0]) throw new UsageError('Say whose: NAME')
  return words[0]
}

function noMore(words: string[], allowed: number) {
  if (words.length > allowed) throw new UsageError('There is a word too many; a password is never an argument')
}

function knownRoles(roles: string[] | undefined): Role[] | undefined {
  const unknown = roles?.find((role) => role !== 'admin' && role !== 'ops')
  if (unknown !== undefined) throw new UsageError(`There is no role "${unknown}": admin or ops`)
  return roles as Role[] | undefined
}

const ROLE_OPTION: [string, string] = ['--role ROLE', 'admin or ops; may repeat']
const PASSWORD_OPTION: [string, string] = [
  '--password-stdin',
  'read the password from standard input; without it you are asked twice. It is never an argument',
]
const WHO: [string, string] = ['NAME', 'a login, a local user’s name, or a user’s id']

export const USERS: Group = {
  title: 'Users',
  commands: [
    {
      words: 'user add',
      usage: 'NAME [--email EMAIL] [--role ROLE] [--password-stdin] [--json]',
      summary: 'make an account that signs in at this box',
      options: [['--email EMAIL', 'its e-mail address'], ROLE_OPTION, PASSWORD_OPTION],
      examples: [['cairn user add ada --role admin', 'asks for the password']],
      run: userAdd,
    },
    {
      words: 'user passwd',
      usage: 'NAME [--password-stdin] [--json]',
      summary: 'another password for an account; ends every session of the user',
      options: [PASSWORD_OPTION],
      examples: [['cairn user passwd ada --password-stdin < new-password', 'without a terminal']],
      run: userPassword,
    },
    {
      words: 'user roles',
      usage: 'NAME [--role ROLE | --none] [--json]',
      summary: 'show the roles of a user, or set those that are granted',
      about: 'Takes effect within a second.',
      options: [WHO, ROLE_OPTION, ['--none', 'take all of them away']],
      examples: [['cairn user roles ada --role ops', 'ops, and nothing else']],
      run: userRoles,
    },
    {
      words: 'user token',
      usage: '--name NAME [--role ROLE] [--json]',
      summary: 'print a session token for a local user, made if it is new',
      about: 'How an operator gets in without an identity provider. Twelve hours; the audit log tells of it.',
      options: [
        ['--name NAME', 'the local user'],
        ['--role ROLE', 'admin or ops, instead of the roles it has; may repeat'],
      ],
      examples: [['TOKEN=$(cairn user token --name me --role admin)', 'for curl -H "authorization: Bearer $TOKEN"']],
      run: userToken,
    },
    {
      words: 'user list',
      usage: '[--query TEXT] [--json]',
      summary: 'users with their roles, oldest first',
      options: [['--query TEXT', 'those with this in their username, e-mail address or name']],
      examples: [['cairn user list --query example.org', 'everybody of one organisation']],
      run: userList,
    },
    {
      words: 'user erase',
      usage: 'NAME --yes [--json]',
      summary: 'erase a user for good, as the user itself could',
      about:
        'What only the user could see goes: sign-ins, account, private pins, files that no open record shows. What others use stays\nwithout an owner: players with their scores, public pins, zones. A user who owns apps is left until they are deleted.',
      options: [WHO, ['--yes', 'it cannot be undone']],
      examples: [['cairn user erase ada --yes', 'on a request for erasure']],
      run: userErase,
    },
  ],
}
