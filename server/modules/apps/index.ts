import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { newId } from '../../platform/ids.ts'
import { APP_MEMBER, memberId } from '../../platform/live/record-stream.ts'
import type { Streams } from '../../platform/live/streams.ts'
import type { Platform } from '../../platform/platform.ts'
import { scheduleEvery } from '../../platform/scheduler.ts'
import { appAdminCommands } from './admin-commands.ts'
import { appExport } from './app-export.ts'
import { appPurge } from './app-purge.ts'
import { copyService } from './copies/copies.ts'
import { copyRoutes } from './copies/copy-routes.ts'
import { copyStore, type NewSecrets } from './copies/copy-store.ts'
import { keyRoutes } from './keys/key-routes.ts'
import { keyStore } from './keys/key-store.ts'
import { keyService } from './keys/keys.ts'
import { invitationRoutes } from './members/invitation-routes.ts'
import { invitationStore } from './members/invitation-store.ts'
import { memberRoutes } from './members/member-routes.ts'
import { memberStore } from './members/member-store.ts'
import { memberService } from './members/members.ts'
import { overviewService } from './overview/overview.ts'
import { overviewRoutes } from './overview/overview-routes.ts'
import { overviewStore } from './overview/overview-store.ts'
import { appRoutes } from './routes.ts'
import { appService } from './service.ts'
import { appStore } from './store.ts'

type Deps = {
  /** Ends the streams of users who are no longer members. */
  streams: Pick<Streams, 'endWith'>
  /** Drops the rank indexes of an app. */
  forgetBoards: (appId: string) => void
  /** Removes objects that nothing refers to. */
  removeUnused: (atMostMs?: number) => Promise<void>
  /** Writes the calls that this process has counted to the database. */
  writeUsage: () => Promise<void>
  newSecrets: NewSecrets
}

/** How often expired keys and interrupted deletions of apps are looked for. */
const CLEAN_MS = 10 * 60_000

/** Apps with their keys and members. */
export function createApps(platform: Platform, { streams, forgetBoards, removeUnused, writeUsage, newSecrets }: Deps) {
  const { database, reads, secrets, audit, ownUrls, quotas, jobs, log } = platform
  const purge = appPurge({ pool: database.pool, jobs, forget: forgetBoards, removeUnused })
  jobs.define(purge.job)
  const store = appStore(database.kysely, audit)
  const service = appService({
    store,
    listPublic: appStore(reads.database.kysely, audit).listPublic,
    secrets,
    audit,
    newId,
    ownUrls,
    quotas,
    purge,
  })
  const overviews = overviewService({ store: overviewStore(database.kysely), apps: service, quotas })
  const keys = keyService({ store: keyStore(database.kysely, audit), apps: service, quotas, writeUsage })

  const copies = copyService({
    store: copyStore(database.kysely, { audit, newId, newSecrets }),
    apps: service,
    newKey: service.newKey,
    newId,
    quotas,
  })
  const invitations = invitationStore(database.kysely, audit)
  const membersInSql = memberStore(database.kysely, audit)
  const members = memberService({ members: membersInSql, invitations, apps: service, newId })
  streams.endWith(APP_MEMBER, async (ids) => {
    const memberships = ids.map((id) => id.split(' ')).map(([appId, userId]) => ({ appId: appId!, userId: userId! }))
    const left = await membersInSql.left(memberships)
    return new Set(left.map(({ appId, userId }) => memberId(appId, userId)))
  })

  const clean = async () => {
    await invitations.removeExpired()
    await store.removeEndedKeys()
    await purge.finish()
  }

  return {
    findByKey: service.findByKey,
    findInApp: service.findInApp,
    assertRole: service.assertRole,
    assertReader: service.assertReader,
    quotasOf: overviews.quotasOf,
    /** The app commands of the command line. */
    operator: { ...appAdminCommands({ service, store, keys }), export: appExport(database.pool, ownUrls) },
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        const prefix = '/api/v1/apps'
        await app.register(appRoutes({ service, guards }), { prefix })
        await app.register(copyRoutes({ service: copies, guards }), { prefix })
        await app.register(keyRoutes({ service: keys, guards }), { prefix })
        await app.register(memberRoutes({ service: members, guards }), { prefix })
        await app.register(invitationRoutes({ service: members, guards }), { prefix: '/api/v1' })
        await app.register(overviewRoutes({ service: overviews, guards }), { prefix })
        app.addHook('preClose', async () => purge.stop())
        scheduleEvery(app, {
          everyMs: CLEAN_MS,
          work: clean,
          onError: (error) => log.error({ err: error }, 'failed to purge expired keys, invitations or deleted apps'),
        })
      },
  }
}
