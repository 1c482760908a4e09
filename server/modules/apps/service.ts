import { LRUCache } from 'lru-cache'
import { cacheEntries } from '../../platform/concurrency/cache-entries.ts'
import { type AppRole, assertIncludes, includesRole } from '../../platform/credentials/app-roles.ts'
import type { AppCaller, AppUser, UserCaller } from '../../platform/credentials/callers.ts'
import { hasOpsAccess } from '../../platform/credentials/guards.ts'
import type { Secrets } from '../../platform/credentials/secrets.ts'
import { assertHasOps } from '../../platform/credentials/service-roles.ts'
import type { Actor, AuditLog } from '../../platform/database/audit.ts'
import { badRequest, forbidden, notFound } from '../../platform/errors.ts'
import type { Page, PageQuery } from '../../platform/http/pages.ts'
import { type Quotas, quotaExceeded, quotaOf } from '../../platform/quotas.ts'
import { MAX_COUNTED } from '../../platform/schema.ts'
import type { OwnUrls } from '../../platform/storage/own-urls.ts'
import { hashKey, hashMatches, keyIdOf, maskedKey, newApiKey } from './api-key.ts'
import type { App, AppChange, AppContents, NewApp } from './schema.ts'
import type { AppRow, AppStore, AppTransaction, NewKey } from './store.ts'

const PURPOSE = 'app-keys'

/**
 * Milliseconds for which a valid key is accepted without a query. After that, a rotated or deleted key stops working
 * everywhere.
 */
const REMEMBERED_MS = 1000

export type AppService = ReturnType<typeof appService>

type Deps = {
  store: AppStore
  /** The store's list; `show` may lag a moment behind it. */
  listPublic: AppStore['listPublic']
  secrets: Secrets
  audit: AuditLog
  newId: () => string
  ownUrls: Pick<OwnUrls, 'written' | 'unchanged'>
  quotas: Pick<Quotas, 'apps' | 'keys'>
  /** Deletes everything the app had, once its deletion has committed. */
  purge: { request: (trx: AppTransaction, appId: string) => Promise<void>; begin: (appId: string) => void }
}

export function appService({ store, listPublic, secrets, audit, newId, ownUrls, quotas, purge }: Deps) {
  const callers = new LRUCache<string, { app: AppCaller; hash: Buffer }>({
    ...cacheEntries(10_000),
    ttl: REMEMBERED_MS,
  })

  const seesKey = (row: AppRow, user: UserCaller | undefined) =>
    user !== undefined && !user.limited && row.role !== null && includesRole(row.role, 'admin')

  const shown = (row: AppRow, user: UserCaller | undefined, withKey = true): App => {
    const { ownerId, keyId, encryptedKey, role, ...app } = row
    const apiKey = withKey && seesKey(row, user) ? secrets.open(PURPOSE, encryptedKey) : maskedKey(keyId)
    return { ...app, imageUrl: ownUrls.written(app.imageUrl), apiKey, ...(role && { role }) }
  }

  /** Presents apps; a view of full keys is audited first. Without an actor the keys are masked. */
  const show = async (rows: AppRow[], user: UserCaller | undefined, actor: Actor | undefined): Promise<App[]> => {
    if (!actor) return rows.map((row) => shown(row, user, false))
    const seen = rows.filter((row) => seesKey(row, user))
    // One view is one entry, however many keys it shows.
    const [first] = seen
    if (seen.length === 1) await audit.recordView({ ...actor, action: 'app_key.viewed', subject: first!.id })
    else if (first) await audit.recordView({ ...actor, action: 'app_keys.viewed', subject: user!.id })
    return rows.map((row) => shown(row, user))
  }

  const visible = async (id: string, user: UserCaller | undefined): Promise<AppRow> => {
    const row = await store.get(id, user?.id)
    if (!row || (row.visibility === 'PRIVATE' && row.role === null)) throw notFound('App')
    return row
  }

  /**
   * The app, if the user is a member with the needed role. @throws 404 if the user may not know the app; 403 without the
   * role, and for a PUBLIC app of others
   */
  const entered = async (id: string, user: AppUser): Promise<AppRow & { role: AppRole }> => {
    const row = await visible(id, user)
    const { role } = row
    if (role === null) throw forbidden('This app belongs to another user')
    assertIncludes(role, user.needs)
    return { ...row, role }
  }

  const makeKey = (): { key: string; kept: NewKey } => {
    const key = newApiKey()
    return { key, kept: { keyId: keyIdOf(key)!, hash: hashKey(key), encrypted: secrets.seal(PURPOSE, key) } }
  }

  /** The app as it is now, with its new key. */
  const withNewKey = async (id: string, user: UserCaller, key: string): Promise<App> => ({
    ...shown(await visible(id, user), user),
    apiKey: key,
  })

  async function readByKey(keyId: string, key: string): Promise<AppCaller | undefined> {
    // The result may be outdated when it arrives, so the second counts from the start of the query.
    const start = performance.now()
    const row = await store.byKeyId(keyId)
    if (!row) return undefined
    const { hash, isAdditional, ...caller } = row
    const app = { ...caller, countedAs: isAdditional ? caller.keyId : caller.id }
    callers.set(keyId, { app, hash }, { start })
    return hashMatches(key, hash) ? app : undefined
  }

  return {
    /** A new key, as it is stored. */
    newKey: (): NewKey => makeKey().kept,

    /**
     * The user's role in the app, which includes the needed one. @throws 404 if the user may not know the app; 403 without
     * the role, and for a PUBLIC app of others
     */
    assertRole: async (id: string, user: AppUser): Promise<AppRole> => (await entered(id, user)).role,

    /** The app as its server key would act in it, for a member with the needed role. @throws 403, 404 */
    async findInApp(id: string, user: AppUser): Promise<AppCaller> {
      const { name, keyId } = await entered(id, user)
      return { id, name, keyId, kind: 'server', countedAs: id }
    },

    /**
     * Asserts that the user can read the app's usage: its members, ops and admins. @throws 404 if the user may not know
     * the app, 403 for a PUBLIC app of others
     */
    async assertReader(id: string, user: AppUser): Promise<void> {
      if (!hasOpsAccess(user)) await entered(id, user)
      else if (!(await store.get(id))) throw notFound('App')
    },

    /** Creates an app that the user owns, with its first key. @throws 409 if the user's quota is used up */
    async create(user: UserCaller, app: NewApp, actor: Actor): Promise<App> {
      const id = newId()
      const { key, kept } = makeKey()
      const most = quotaOf(user, quotas.apps)
      if (!(await store.insert(user.id, id, app, kept, actor, most))) throw quotaExceeded('apps', most)
      return withNewKey(id, user, key)
    },

    /**
     * Returns an app: with the full key for its owners and admins, masked for everyone else and without an actor. @throws 404 for a PRIVATE app of
     * others
     */
    async get(id: string, user: UserCaller | undefined, actor: Actor | undefined): Promise<App> {
      const [app] = await show([await visible(id, user)], user, actor)
      return app!
    },

    /**
     * Lists everyone's apps, PRIVATE ones included, oldest first, with masked keys; audited. @throws 403 unless the
     * user is ops or admin
     */
    async listAll(user: UserCaller, query: PageQuery, actor: Actor): Promise<Page<App>> {
      assertHasOps(user)
      await audit.record([{ ...actor, action: 'apps.listed', subject: user.id }])
      const page = await store.listAll(query)
      return { ...page, rows: page.rows.map((row) => ({ ...shown(row, undefined), ownerId: row.ownerId })) }
    },

    /** The apps that the user is a member of, oldest first. Without an actor their keys are masked. */
    async ofMember(user: UserCaller, query: PageQuery, actor: Actor | undefined): Promise<Page<App>> {
      const page = await store.ofMember(user.id, query)
      return { ...page, rows: await show(page.rows, user, actor) }
    },

    async listPublic(query: PageQuery): Promise<Page<App>> {
      const page = await listPublic(query)
      return { ...page, rows: page.rows.map((row) => shown(row, undefined)) }
    },

    /** Updates an app; a change without effect writes nothing. @throws 403, 404 */
    async update(id: string, user: AppUser, change: AppChange, actor: Actor): Promise<App> {
      const app = await entered(id, user)
      const imageUrl = ownUrls.unchanged(change.imageUrl, [app.imageUrl])
      const members = Object.entries({ ...change, imageUrl }) as [keyof AppChange, string | null | undefined][]
      if (members.some(([name, value]) => value !== undefined && value !== app[name]))
        await store.update(id, { ...change, imageUrl })
      return this.get(id, user, actor)
    },

    /**
     * Gives the app a new key. Earlier keys work for `graceSeconds` more, but never longer than before. @throws 403,
     * 404; 409 if too many keys would work
     */
    async rotateKey(id: string, user: AppUser, graceSeconds: number, actor: Actor): Promise<App> {
      await entered(id, user)
      const { key, kept } = makeKey()
      if (!(await store.rotate(id, kept, graceSeconds, actor, quotas.keys))) throw notFound('App')
      return withNewKey(id, user, key)
    },

    /** Counts what a deletion would delete. @throws 403, 404 */
    async contents(id: string, user: AppUser): Promise<AppContents> {
      await entered(id, user)
      return store.contents(id)
    },

    /**
     * Deletes the app with all its contents. `howToSay` tells the caller how to pass the name. @throws 400 that lists
     * what would be deleted, unless `name` is the app's name; 403, 404
     */
    async remove(id: string, user: AppUser, name: string | undefined, actor: Actor, howToSay = inQuery): Promise<void> {
      const app = await entered(id, user)
      if (name !== app.name) throw badRequest(warning(app.name, await store.contents(id)) + howToSay(app.name))
      if (!(await store.remove(app, actor, (trx) => purge.request(trx, id)))) throw notFound('App')
      purge.begin(id)
    },

    /**
     * Finds the app of an API key, or undefined. Responds synchronously, without a query, if the key was seen in the
     * last second or is malformed.
     */
    findByKey(key: string): AppCaller | undefined | Promise<AppCaller | undefined> {
      const keyId = keyIdOf(key)
      if (!keyId) return undefined
      const known = callers.get(keyId)
      if (known) return hashMatches(key, known.hash) ? known.app : undefined
      return readByKey(keyId, key)
    },
  }
}

function warning(name: string, { players, gameSessions, scores, miniGameTypes, keys }: AppContents): string {
  const parts = [
    counted(players, 'player'),
    counted(gameSessions, 'game session'),
    (scores < MAX_COUNTED ? '' : 'at least ') + counted(scores, 'score'),
    counted(miniGameTypes, 'mini game type'),
    counted(keys, 'API key'),
  ]
  return `Deleting the app "${name}" permanently deletes ${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}. To confirm, `
}

const inQuery = (name: string) => `send its name in the query, ?name=${encodeURIComponent(name)}`

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
