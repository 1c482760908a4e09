import type { Readable } from 'node:stream'
import type { Actor, AuditLog } from '../../platform/database/audit.ts'
import type { LongPage } from '../../platform/database/bulk/long-page.ts'
import { conflict, notFound, unauthorized } from '../../platform/errors.ts'
import type { Page, PageQuery } from '../../platform/http/pages.ts'
import type { Erasure } from './erasure.ts'
import type { MemberStore } from './members.ts'
import { LAST_ADMIN, rolesOf } from './roles.ts'
import type { Member, Profile, Role, User } from './schema.ts'

type Deps = {
  store: MemberStore
  adminEmails: string[]
  audit: AuditLog
  /** @throws 409 for the last admin */
  erase: (userId: string, actor: Actor) => Promise<Erasure>
  exportOf: (userId: string, begin: () => Promise<void>) => Promise<Readable>
  /** Removes objects that nothing refers to. */
  removeUnused: () => Promise<void>
}

export type UserService = ReturnType<typeof userService>

export function userService({ store, adminEmails, audit, erase, exportOf, removeUnused }: Deps) {
  const gone = () => unauthorized('This user was deleted')
  const asMember = (user: User): Member => ({ ...asProfile(user), roles: rolesOf(user, adminEmails) })

  return {
    /** Returns the caller's profile. @throws 401 if the caller has been erased */
    async profile(userId: string): Promise<Profile> {
      const user = await store.get(userId)
      if (!user) throw gone()
      return asProfile(user)
    },

    /** Sets the username. @throws 409 if another user has it */
    async rename(userId: string, username: string): Promise<Profile> {
      const user = await store.setUsername(userId, username)
      if (user === 'taken') throw conflict(`The username "${username}" is taken`)
      if (!user) throw gone()
      return asProfile(user)
    },

    /**
     * Erases the user. @throws 409 while the user owns apps, because these hold other people's scores, and for the last
     * admin
     */
    async erase(userId: string, actor: Actor): Promise<void> {
      const { erased, apps } = await erase(userId, actor)
      if (apps.length > 0) {
        const names = apps.map((name) => `"${name}"`).join(', ')
        throw conflict(`You own ${apps.length === 1 ? 'the app' : 'the apps'} ${names}: delete your apps first`)
      }
      if (!erased) throw gone()
      await removeUnused()
    },

    /**
     * Exports all data held on the user, as a ZIP generated while it is read. @throws 429 while another export is being
     * read
     */
    export: (userId: string, actor: Actor): Promise<Readable> =>
      // Recorded first, because the export includes the audit log.
      exportOf(userId, () => audit.record([{ ...actor, action: 'user.exported', subject: userId }])),

    async page(query: PageQuery, search: string | undefined): Promise<Page<Member>> {
      const page = await store.page(query, search)
      return { ...page, rows: page.rows.map(asMember) }
    },

    async list(query: PageQuery, search: string | undefined): Promise<Page<Member> | LongPage> {
      const page = await store.list(query, search)
      return 'batches' in page ? page : { ...page, rows: page.rows.map(asMember) }
    },

    /** @throws 404 */
    async get(id: string): Promise<Member> {
      const user = await store.get(id)
      if (!user) throw notFound('User')
      return asMember(user)
    },

    /**
     * Replaces the granted roles; open sessions have them within a second. @throws 404; 409 if no admin would be left
     */
    async grant(id: string, roles: Role[], actor: Actor): Promise<Member> {
      const user = await store.grant(id, roles, actor)
      if (user === 'last_admin') throw conflict(LAST_ADMIN)
      if (!user) throw notFound('User')
      return asMember(user)
    },
  }
}

/** Removes internal members. */
function asProfile(user: Profile): Profile {
  const { id, email, firstName, lastName, phoneNumber, username, createdAt, imageUrl } = user
  return { id, email, firstName, lastName, phoneNumber, username, createdAt, imageUrl }
}
