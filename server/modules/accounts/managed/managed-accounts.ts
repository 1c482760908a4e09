import type { Kysely } from 'kysely'
import type { Actor, AuditLog } from '../../../platform/database/audit.ts'
import type { AuditAction } from '../../../platform/database/audit-actions.ts'
import type { AnyTables } from '../../../platform/database/database.ts'
import { isUniqueViolation } from '../../../platform/database/database-errors.ts'
import { conflict, forbidden, notFound } from '../../../platform/errors.ts'
import type { Page, PageQuery } from '../../../platform/http/pages.ts'
import type { Users } from '../../users/index.ts'
import { LAST_ADMIN } from '../../users/roles.ts'
import type { PasswordHashes } from '../password-hash.ts'
import { loginOf, taken } from '../service.ts'
import type { SignInThrottle } from '../sign-in/sign-in-throttle.ts'
import type { AccountStore } from '../store.ts'
import type { AccountLinks } from './account-links.ts'
import type {
  AccountLink,
  CreatedLocalAccount,
  LocalAccount,
  LocalAccountChange,
  NewLocalAccount,
} from './managed-schema.ts'
import type { ListedAccount, ManagedAccountStore } from './managed-store.ts'
import { mayChange } from './may-change.ts'

type Deps = {
  store: ManagedAccountStore
  accounts: Pick<AccountStore, 'insertIn' | 'endAll'>
  links: AccountLinks
  passwords: PasswordHashes
  tries: SignInThrottle
  users: Pick<Users, 'held' | 'setDisabled' | 'setEmail' | 'getLocalIn' | 'rolesOf' | 'erase' | 'claimUsername'>
  audit: AuditLog
}
type Trx = Kysely<AnyTables>
type HeldUser = NonNullable<Awaited<ReturnType<Users['held']>>>
const OF_ADMIN = 'This is the account of an admin: only admins may do this'
/** Who changes an account, with the roles that allow it. The operator has no ID. */
export type Changer = { caller: { id: string | null; roles: string[] }; actor: Actor }

export type ManagedAccounts = ReturnType<typeof managedAccounts>

/** Local accounts, as ops and admins manage them. Ops can change nothing about admins, and only admins grant roles. */
export function managedAccounts({ store, accounts, links, passwords, tries, users, audit }: Deps) {
  const shown = async (rows: ListedAccount[]): Promise<LocalAccount[]> => {
    const locks = await tries.lockedUntil(rows.map(({ login }) => login))
    return rows.map(({ grantedRoles, hasPassword, disabled, ...row }, at) => ({
      ...row,
      roles: grantedRoles.toSorted(),
      state: disabled ? 'disabled' : hasPassword ? 'active' : 'invited',
      lockedUntil: locks[at] ?? null,
    }))
  }

  const get = async (id: string): Promise<LocalAccount> => {
    const row = await store.get(id)
    if (!row) throw notFound('Account')
    return (await shown([row]))[0]!
  }

  /** The user of the account, with roles that do not change meanwhile. @throws 403, 404 */
  const changeable = async (trx: Trx, id: string, caller: Changer['caller']) => {
    const held = await users.held(trx, id)
    if (!held || !(await store.has(trx, id))) throw notFound('Account')
    if (!mayChange(caller.roles, held.roles)) throw forbidden(OF_ADMIN)
    return held
  }

  const note = (trx: Trx, { actor }: Changer, action: AuditAction, id: string) =>
    audit.record([{ ...actor, action, subject: id }], trx)

  const setDisabled = async (trx: Trx, held: HeldUser, isDisabled: boolean, changer: Changer) => {
    const { id } = held.user
    if (isDisabled && held.isLastAdmin) throw conflict(LAST_ADMIN)
    if (isDisabled && id === changer.caller.id) throw conflict('You cannot disable your own account')
    await users.setDisabled(trx, id, isDisabled)
    if (isDisabled) await accounts.endAll(trx, id)
    await note(trx, changer, isDisabled ? 'account.disabled' : 'account.enabled', id)
  }

  return {
    async list(query: PageQuery, search: string | undefined): Promise<Page<LocalAccount>> {
      const page = await store.page(query, search)
      return { ...page, rows: await shown(page.rows) }
    },

    /** @throws 404 */
    get,

    /**
     * Creates an account without a password, and the link that sets it. @throws 400; 403 for roles without admin, and for
     * the name of a local user that is an admin; 409
     */
    async create({ login: wished, email, roles }: NewLocalAccount, changer: Changer): Promise<CreatedLocalAccount> {
      const login = loginOf(wished)
      if (roles.length > 0 && !changer.caller.roles.includes('admin')) throw forbidden('Only admins grant roles')
      const insert = async (trx: Trx) => {
        const existing = await users.getLocalIn(trx, login)
        const held = existing && (await users.held(trx, existing.id))
        if (held && !mayChange(changer.caller.roles, held.roles)) throw forbidden(OF_ADMIN)
        if (held && roles.length > 0)
          throw conflict(`There is a local user "${login}" already: create its account without roles, which it keeps`)
        const given = { login, email, passwordHash: passwords.ofNone(), hasPassword: false }
        const user = await accounts.insertIn(
          trx,
          { ...given, roles: roles.length > 0 ? [...new Set(roles)] : undefined },
          changer.actor,
        )
        // The user may have become an admin since.
        if (!mayChange(changer.caller.roles, users.rolesOf(user))) throw forbidden(OF_ADMIN)
        return { user, link: await links.create(trx, user.id, changer.caller.id) }
      }
      const { user, link } = await store.transaction(insert).catch((error) => {
        throw isUniqueViolation(error) ? taken(login) : error
      })
      await users.claimUsername(user, login)
      return { ...(await get(user.id)), link }
    },

    /** Creates a link that sets the password, in place of the one before. @throws 403, 404; 409 for a disabled account */
    newLink: (id: string, changer: Changer): Promise<AccountLink> =>
      store.transaction(async (trx) => {
        const { user } = await changeable(trx, id, changer.caller)
        if (user.disabled) throw conflict('This account is disabled: enable it first')
        await note(trx, changer, 'account.link_created', id)
        return links.create(trx, id, changer.caller.id)
      }),

    /**
     * Sets the email address; disables the account, which ends its sessions and its link, or enables it. All or nothing.
     * @throws 403, 404; 409 for disabling oneself and the last admin
     */
    async update(id: string, { disabled, email }: LocalAccountChange, changer: Changer): Promise<LocalAccount> {
      await store.transaction(async (trx) => {
        const held = await changeable(trx, id, changer.caller)
        if (email !== undefined && email !== held.user.email) {
          await users.setEmail(trx, id, email)
          await note(trx, changer, 'account.email_changed', id)
        }
        if (disabled !== undefined && disabled !== held.user.disabled) await setDisabled(trx, held, disabled, changer)
      })
      return get(id)
    },

    /** Deletes the account and its user, as the user could. @throws 403, 404; 409 for oneself, the last admin, and the only owner of apps */
    async remove(id: string, changer: Changer): Promise<void> {
      if (id === changer.caller.id) throw conflict('You cannot delete your own account here: use DELETE /api/v1/user')
      const { erased, apps } = await users.erase(id, changer.actor, async (trx) => {
        const { isLastAdmin } = await changeable(trx, id, changer.caller)
        if (isLastAdmin) throw conflict(LAST_ADMIN)
      })
      if (apps.length > 0)
        throw conflict(
          `This user is the only owner of ${apps.map((name) => `"${name}"`).join(', ')}: delete these apps, or add another owner, first`,
        )
      if (!erased) throw notFound('Account')
    },
  }
}
