import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Kysely } from 'kysely'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { Actor } from '../../platform/database/audit.ts'
import type { AnyTables } from '../../platform/database/database.ts'
import { lock } from '../../platform/database/locks/locks.ts'
import { conflict } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Erasure, userErasure } from './erasure.ts'
import { userExport } from './export.ts'
import { hasAdmin, memberStore } from './members.ts'
import { ownQuotas } from './own-quotas.ts'
import { LAST_ADMIN, rolesOf } from './roles.ts'
import { userRoutes } from './routes.ts'
import type { NewUser, User } from './schema.ts'
import { userService } from './service.ts'
import { type LocalUserWish, userStore } from './store.ts'

type Deps = {
  /** Removes objects that nothing refers to. */
  removeUnused: (atMostMs?: number) => Promise<void>
  /** Called when the users of players may have changed; awaited before the change is answered. */
  playersChanged: () => void | Promise<void>
}

export type Users = ReturnType<typeof createUsers>

/** Users: their own profile, export and deletion, and their administration by ops. */
export function createUsers(
  { config, database, bulk, objects, ownUrls, quotas, audit }: Platform,
  { removeUnused, playersChanged }: Deps,
) {
  const adminEmails = config.CAIRN_ADMIN_EMAILS
  const store = userStore(database.kysely)
  const members = memberStore(database.kysely, { bulk, audit, adminEmails })
  const eraseInSql = userErasure({ db: database.kysely, audit })
  const erase: typeof eraseInSql = (...asked) => eraseInSql(...asked).finally(playersChanged)
  /** @throws 409 for the last admin by a role granted here. A role that a provider gives comes back with a sign-in. */
  const assertNotLastAdmin = async (trx: Kysely<AnyTables>, id: string) => {
    const user = await userStore(trx).get(id)
    // Erasures of other users do not wait for each other.
    if (!user?.grantedRoles.includes('admin')) return
    if ((await members.held(trx, id))?.isLastAdmin) throw conflict(LAST_ADMIN)
  }
  const service = userService({
    store: members,
    adminEmails,
    audit,
    erase: (id, actor) => erase(id, actor, (trx) => assertNotLastAdmin(trx, id)),
    exportOf: userExport({ pool: database.pool, objects, ownUrls }),
    removeUnused,
  })

  const quotasOf = ownQuotas(database.kysely, quotas)

  return {
    get: store.get,
    getLocal: store.getLocal,
    exists: async (id: string) => (await store.get(id)) !== undefined,
    /** Creates the user of an identity provider, or updates it. */
    save: (user: NewUser) => store.upsert(newId(), user, { claimDays: config.CAIRN_SESSION_DAYS }),
    /** Creates or finds the local user of that name, in the given transaction if any. */
    saveLocal: (name: string, wish: LocalUserWish, trx: Kysely<AnyTables> = database.kysely) =>
      userStore(trx).upsertLocal(newId(), name, wish),
    bindAdminEmail: store.bindAdminEmail,
    claimUsername: store.claimUsername,
    hasAdmin,
    held: members.held,
    /** Keeps the roles of all users as they are until the transaction ends. */
    lockRoles: (trx: Kysely<AnyTables>) => lock(trx, 'roles'),
    setDisabled: members.setDisabled,
    setEmail: members.setEmail,
    getIn: (trx: Kysely<AnyTables>, id: string) => userStore(trx).get(id),
    getLocalIn: (trx: Kysely<AnyTables>, name: string) => userStore(trx).getLocal(name),
    rolesOf: (user: User) => rolesOf(user, adminEmails),
    /** Erases the user, unless the check throws, which runs first in the transaction. */
    erase: async (id: string, actor: Actor, check: (trx: Kysely<AnyTables>) => Promise<void>): Promise<Erasure> => {
      const outcome = await erase(id, actor, check)
      if (outcome.erased) await removeUnused()
      return outcome
    },
    /** The user commands of the command line. */
    operator: {
      list: service.page,
      erase: async (id: string, actor: Actor): Promise<Erasure> => {
        const outcome = await erase(id, actor)
        // Without a running service, no scheduled task removes the rest.
        if (outcome.erased) await removeUnused(Number.POSITIVE_INFINITY)
        return outcome
      },
      rolesOf: (user: User) => rolesOf(user, adminEmails),
      grantRoles: members.grant,
    },
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(userRoutes({ service, quotasOf, guards }), { prefix: '/api/v1' })
      },
  }
}
