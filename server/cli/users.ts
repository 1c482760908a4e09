import { type App, OPERATOR, readOptions, UsageError, withApp } from './operator.ts'
import { readPassword } from './password.ts'

type Role = 'admin' | 'ops'

/** A session token for a local user: how an operator gets in without an identity provider. Needs the service's secret, so only who may read the data folder (or CAIRN_SECRET) can do it. */
export async function userToken(args: string[]) {
  const { values, positionals } = readOptions(args, { ...NAME, ...ROLE, ...JSON_OUTPUT })
  noMore(positionals, 0)
  if (!values.name) throw new UsageError('Say whose token: --name NAME')
  const roles = knownRoles(values.role)
  await withApp(async (app) => {
    const known = await app.localUser(values.name!)
    const user = roles ? await granted(app, known.id, roles) : known
    const { token, expiryTime } = await app.operator.openSession(user)
    tell(values, { userId: user.id, sessionToken: token, expiryTime }, token)
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
    const given = operator.rolesOf(made.user)
    const record = { userId: made.user.id, login: made.login, email: made.user.email, roles: given }
    tell(values, record, `${made.login} can sign in${given.length > 0 ? ` as ${given.join(', ')}` : ''}`)
  })
}

/** Another password; whoever is signed in as that user is signed out. */
export async function userPassword(args: string[]) {
  const { values, positionals } = readOptions(args, { ...PASSWORD, ...JSON_OUTPUT })
  const login = theName(positionals)
  const password = await readPassword({ fromStdin: values['password-stdin'] ?? false })
  await withApp(async ({ operator }) => {
    const account = await operator.accounts.changePassword(login, password, OPERATOR)
    tell(
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
    const found = await app.operator.findUser(name)
    if (!found) throw new Error(`There is no user "${name}": name a login, a local user, or a user's id`)
    const user = wished ? await granted(app, found.id, wished) : found
    const roles = app.operator.rolesOf(user)
    tell(values, { userId: user.id, roles }, roles.join('\n') || 'none')
  })
}

/** The user with these roles and no others. @throws a sentence when that cannot be */
async function granted({ operator }: App, id: string, roles: Role[]) {
  const user = await operator.grantRoles(id, roles, OPERATOR)
  if (user === 'last_admin') throw new Error('Nobody would be admin any more: make another admin first')
  if (!user) throw new Error('This user was deleted')
  return user
}

const NAME = { name: { type: 'string' } } as const
const ROLE = { role: { type: 'string', multiple: true } } as const
const PASSWORD = { 'password-stdin': { type: 'boolean' } } as const
const JSON_OUTPUT = { json: { type: 'boolean' } } as const

function tell({ json }: { json?: boolean | undefined }, record: object, words: string) {
  console.log(json ? JSON.stringify(record) : words)
}

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
