import { counted, type Group, JSON_OUTPUT, printResult } from '../command.ts'
import { type App, OPERATOR, readOptions, UsageError, withApp } from '../context.ts'
import { ACCOUNT_ACCESS } from './account-access.ts'
import { readPassword } from './password.ts'
import { assertAtMost, existingUser, USER_ARGUMENT, userArgument } from './user-argument.ts'

type Role = 'admin' | 'ops'

/** Prints a session token for a local user, as a way in without an identity provider. Requires the service's secret, and so access to the data folder or CAIRN_SECRET. */
async function userToken(args: string[]) {
  const { values, positionals } = readOptions(args, { ...NAME, ...ROLE, ...JSON_OUTPUT })
  assertAtMost(positionals, 0)
  if (!values.name) throw new UsageError('Name the user: --name NAME')
  const roles = knownRoles(values.role)
  await withApp(async (app) => {
    const known = await app.localUser(values.name!)
    const user = roles ? await granted(app, known.id, roles) : known
    const { token, expiryTime } = await app.operator.openSession(user)
    printResult(values, { userId: user.id, sessionToken: token, expiryTime }, token)
  })
}

/** Creates a local account with a password. */
export async function userAdd(args: string[]) {
  const { values, positionals } = readOptions(args, {
    email: { type: 'string' },
    ...ROLE,
    ...PASSWORD,
    ...JSON_OUTPUT,
  })
  const login = userArgument(positionals)
  const roles = knownRoles(values.role)
  const email = values.email
  if (email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new UsageError(`"${email}" is not an email address`)
  const password = await readPassword({ fromStdin: values['password-stdin'] ?? false })
  await withApp(async ({ operator }) => {
    const made = await operator.accounts.add({ login, password, email, roles }, OPERATOR)
    const given = operator.users.rolesOf(made.user)
    const record = { userId: made.user.id, login: made.login, email: made.user.email, roles: given }
    printResult(values, record, `${made.login} can sign in${given.length > 0 ? ` as ${given.join(', ')}` : ''}`)
  })
}

/** Changes a password, and ends all sessions of the user. */
export async function userPassword(args: string[]) {
  const { values, positionals } = readOptions(args, { ...PASSWORD, ...JSON_OUTPUT })
  const login = userArgument(positionals)
  const password = await readPassword({ fromStdin: values['password-stdin'] ?? false })
  await withApp(async ({ operator }) => {
    const account = await operator.accounts.changePassword(login, password, OPERATOR)
    printResult(
      values,
      { userId: account.userId, login: account.login },
      `${account.login} has a new password; all sessions are ended`,
    )
  })
}

/** Shows the effective roles, or replaces the granted ones. */
export async function userRoles(args: string[]) {
  const { values, positionals } = readOptions(args, { none: { type: 'boolean' }, ...ROLE, ...JSON_OUTPUT })
  const name = userArgument(positionals)
  if (values.none && values.role) throw new UsageError('Use either --none or --role')
  const wished = values.none ? [] : knownRoles(values.role)
  await withApp(async (app) => {
    const found = await existingUser(app, name)
    const user = wished ? await granted(app, found.id, wished) : found
    const roles = app.operator.users.rolesOf(user)
    printResult(values, { userId: user.id, roles }, roles.join('\n') || 'none')
  })
}

const PAGE = 500

/** Lists users, oldest first. */
async function userList(args: string[]) {
  const { values, positionals } = readOptions(args, { query: { type: 'string' }, ...JSON_OUTPUT })
  assertAtMost(positionals, 0)
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

/** Erases a user, with the same effect as by the user. */
async function userErase(args: string[]) {
  const { values, positionals } = readOptions(args, { yes: { type: 'boolean' }, ...JSON_OUTPUT })
  const name = userArgument(positionals)
  if (!values.yes) throw new UsageError('This cannot be undone: confirm with --yes')
  await withApp(async (app) => {
    const { id } = await existingUser(app, name)
    const { erased, apps } = await app.operator.users.erase(id, OPERATOR)
    if (apps.length > 0)
      throw new Error(
        `This user owns ${apps.map((one) => `"${one}"`).join(', ')}: delete the apps first (cairn app delete)`,
      )
    if (!erased) throw new Error('This user was deleted')
    printResult(values, { userId: id, erased }, `${name} is erased`)
  })
}

/** Sets the roles of a user. @throws an error if that is not possible */
async function granted({ operator }: App, id: string, roles: Role[]) {
  const user = await operator.users.grantRoles(id, roles, OPERATOR)
  if (user === 'last_admin') throw new Error('This is the last admin: create another admin first')
  if (!user) throw new Error('This user was deleted')
  return user
}

const NAME = { name: { type: 'string' } } as const
const ROLE = { role: { type: 'string', multiple: true } } as const
const PASSWORD = { 'password-stdin': { type: 'boolean' } } as const

function knownRoles(roles: string[] | undefined): Role[] | undefined {
  const unknown = roles?.find((role) => role !== 'admin' && role !== 'ops')
  if (unknown !== undefined) throw new UsageError(`There is no role "${unknown}": admin or ops`)
  return roles as Role[] | undefined
}

const ROLE_OPTION: [string, string] = ['--role ROLE', 'admin or ops; may repeat']
const PASSWORD_OPTION: [string, string] = [
  '--password-stdin',
  'read the password from standard input; without it the command asks twice. A password is never an argument',
]

export const USERS: Group = {
  title: 'Users',
  commands: [
    {
      words: 'user add',
      usage: 'NAME [--email EMAIL] [--role ROLE] [--password-stdin] [--json]',
      summary: 'create a local account',
      options: [['--email EMAIL', 'its e-mail address'], ROLE_OPTION, PASSWORD_OPTION],
      examples: [['cairn user add ada --role admin', 'asks for the password']],
      run: userAdd,
    },
    {
      words: 'user passwd',
      usage: 'NAME [--password-stdin] [--json]',
      summary: 'change the password of an account; ends every session of the user',
      options: [PASSWORD_OPTION],
      examples: [['cairn user passwd ada --password-stdin < new-password', 'without a terminal']],
      run: userPassword,
    },
    ...ACCOUNT_ACCESS,
    {
      words: 'user roles',
      usage: 'NAME [--role ROLE | --none] [--json]',
      summary: 'show the roles of a user, or replace the granted ones',
      about: 'Takes effect within a second.',
      options: [USER_ARGUMENT, ROLE_OPTION, ['--none', 'revoke all of them']],
      examples: [['cairn user roles ada --role ops', 'grants ops and revokes all others']],
      run: userRoles,
    },
    {
      words: 'user token',
      usage: '--name NAME [--role ROLE] [--json]',
      summary: 'print a session token for a local user, creating the user if needed',
      about: 'Access for operators without an identity provider. Valid for twelve hours; recorded in the audit log.',
      options: [
        ['--name NAME', 'the local user'],
        ['--role ROLE', 'admin or ops, instead of the current roles; may repeat'],
      ],
      examples: [['TOKEN=$(cairn user token --name me --role admin)', 'for curl -H "authorization: Bearer $TOKEN"']],
      run: userToken,
    },
    {
      words: 'user list',
      usage: '[--query TEXT] [--json]',
      summary: 'list users with their roles, oldest first',
      options: [['--query TEXT', 'only users with this text in their username, email address or name']],
      examples: [['cairn user list --query example.org', 'all users of one organisation']],
      run: userList,
    },
    {
      words: 'user erase',
      usage: 'NAME --yes [--json]',
      summary: 'erase a user permanently',
      about:
        'Deletes what only the user could see: sign-ins, account, private pins, files that no public record shows. What others use\nis kept without an owner: players with their scores, public pins, zones. Delete the apps of the user first.',
      options: [USER_ARGUMENT, ['--yes', 'required, because this cannot be undone']],
      examples: [['cairn user erase ada --yes', 'on a request for erasure']],
      run: userErase,
    },
  ],
}
