import type { Readable } from 'node:stream'
import type { Actor, AuditLog } from '../../platform/database/audit.ts'
import { conflict, notFound, unauthorized } from '../../platform/errors.ts'
import type { Page, PageQuery } from '../../platform/http/pages.ts'
import type { Erasure } from './erasure.ts'
import type { MemberStore } from './members.ts'
import { rolesOf } from './roles.ts'
import type { Member, Profile, Role, User } from './schema.ts'

type Deps = {
  store: MemberStore
  adminEmails: string[]
  audit: AuditLog
  erase: (userId: string, actor: Actor) => Promise<Erasure>
  exportOf: (userId: string, begin: () => Promise<void>) => Promise<Readable>
  /** Removes the objects that nothing points to any more. */
  removeUnused: () => Promise<void>
}

export type UserService = ReturnType<typeof userService>

export function userService({ store, adminEmails, audit, erase, exportOf, removeUnused }: Deps) {
  const gone = () => unauthorized('This user was deleted')
  const asMember = (user: User): Member => ({ ...asProfile(user), roles: rolesOf(user, adminEmails) })

  return {
    /** The caller itself. @throws 401 when it was erased just now. */
    async profile(userId: string): Promise<Profile> {
      const user = await store.get(userId)
      if (!user) throw gone()
      return asProfile(user)
    },

    /** @throws 409 when another user has the name. */
    async rename(userId: string, username: string): Promise<Profile> {
      const user = await store.setUsername(userId, username)
      if (user === 'taken') throw conflict(`The username "${username}" is taken`)
      if (!user) throw gone()
      return asProfile(user)
    },

    /** Erases the user. @throws 409 while it owns apps: what becomes of other people's scores is a decision of its own. */
    async erase(userId: string, actor: Actor): Promise<void> {
      const { erased, apps } = await erase(userId, actor)
      if (apps.length > 0) {
        const names = apps.map((name) => `"${name}"`).join(', ')
        throw conflict(
          `You own ${apps.length === 1 ? 'the app' : 'the apps'} ${names}: delete what is yours of them first`,
        )
      }
      if (!erased) throw gone()
      await removeUnused()
    },

    /** Everything held on the user, as a ZIP that is made while it is read. @throws 429 while another one is */
    export: (userId: string, actor: Actor): Promise<Readable> =>
      // Recorded first: the audit log is part of it.
      exportOf(userId, () => audit.record([{ ...actor, action: 'user.exported', subject: userId }])),

    async list(query: PageQuery, search: string | undefined): Promise<Page<Member>> {
      const page = await store.page(query, search)
      return { ...page, rows: page.rows.map(asMember) }
    },

    /** @throws 404 */
    async get(id: string): Promise<Member> {
      const user = await store.get(id)
      if (!user) throw notFound('User')
      return asMember(user)
    },

    /** Grants these roles and no others. Sessions of the user have them within a second. @throws 404, 409 when nobody would be admin any more. */
    async grant(id: string, roles: Role[], actor: Actor): Promise<Member> {
      const user = await store.grant(id, roles, actor)
      if (user === 'last_admin') throw conflict('This is the last admin: make somebody else admin first')
      if (!user) throw notFound('User')
      return asMember(user)
    },
  }
}

/** Without what the service keeps for itself. */
function asProfile(user: Profile): Profile {
  const { id, email, firstName, lastName, phoneNumber, username, createdAt, imageUrl } = user
  return { id, email, firstName, lastName, phoneNumber, username, createdAt, imageUrl }
}
