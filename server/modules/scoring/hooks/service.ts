import type { AppUser } from '../../../platform/credentials/callers.ts'
import type { Secrets } from '../../../platform/credentials/secrets.ts'
import type { Actor } from '../../../platform/database/audit.ts'
import { conflict, invalid, notFound } from '../../../platform/errors.ts'
import type { GuardedPosts } from '../../../platform/outbound/guarded-post.ts'
import { FetchRefused } from '../../../platform/outbound/https-request.ts'
import { newSecret } from '../../../platform/outbound/signature.ts'
import type { GameTypes } from '../types/service.ts'
import { HOOK_SECRETS } from './questions.ts'
import {
  MAX_HOOKS,
  type NewScoreHook,
  type ScoreHook,
  type ScoreHookChange,
  type ScoreHookWithSecret,
} from './schema.ts'
import type { HookStore } from './store.ts'

/** The caller and the app of a request. */
export type HookContext = { appId: string; user: AppUser; actor: Actor }

type Deps = {
  store: HookStore
  types: Pick<GameTypes, 'keyOf'>
  /** @throws 404 if the user may not know the app, 403 without the role that the operation needs */
  assertRole: (appId: string, user: AppUser) => Promise<unknown>
  secrets: Pick<Secrets, 'seal'>
  posts: Pick<GuardedPosts, 'check'>
  newId: () => string
  /** Called when hooks of this app have changed. */
  changed: (appId: string) => void
}
export type HookService = ReturnType<typeof hookService>

/** The score hooks of an app, for its owners and admins. */
export function hookService({ store, types, assertRole, secrets, posts, newId, changed }: Deps) {
  const assertUrlAccepted = (url: string | undefined) => {
    if (url === undefined) return
    try {
      posts.check(url)
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error
      throw invalid([{ code: 'custom', message: `this URL is not accepted: ${error.message}`, path: ['url'] }])
    }
  }
  const found = (appId: string, hook: ScoreHook | undefined): ScoreHook => {
    if (!hook) throw notFound('Score hook')
    changed(appId)
    return hook
  }

  return {
    /** @throws 403, 404 */
    async list({ appId, user }: HookContext): Promise<ScoreHook[]> {
      await assertRole(appId, user)
      return store.list(appId)
    },

    /** Only this response, and those of rotations, contain the secret. @throws 400, 403, 404, 409 */
    async create({ appId, user, actor }: HookContext, hook: NewScoreHook): Promise<ScoreHookWithSecret> {
      await assertRole(appId, user)
      assertUrlAccepted(hook.url)
      const typeKey = (await types.keyOf(appId, { miniGameTypeId: hook.miniGameTypeId })) ?? null
      const secret = newSecret()
      const { url, onFailure } = hook
      const sealed = secrets.seal(HOOK_SECRETS, secret)
      const made = await store.insert(appId, { id: newId(), typeKey, url, onFailure, secret: sealed }, actor)
      if (made === 'full') throw conflict(`An app can have at most ${MAX_HOOKS} score hooks: delete one`)
      if (made === 'taken') throw conflict('These scores already have a hook: change or delete it')
      return { ...found(appId, made), secret }
    },

    /** @throws 400, 403, 404 */
    async change({ appId, user, actor }: HookContext, id: string, change: ScoreHookChange): Promise<ScoreHook> {
      await assertRole(appId, user)
      assertUrlAccepted(change.url)
      return found(appId, await store.change(appId, id, change, actor))
    },

    /** Signs with a new secret from now on and, for `graceSeconds`, with the previous one too. @throws 403, 404 */
    async rotate({ appId, user, actor }: HookContext, id: string, graceSeconds: number): Promise<ScoreHookWithSecret> {
      await assertRole(appId, user)
      const secret = newSecret()
      const sealed = secrets.seal(HOOK_SECRETS, secret)
      return { ...found(appId, await store.rotate(appId, id, sealed, graceSeconds, actor)), secret }
    },

    /** @throws 403, 404 */
    async remove({ appId, user, actor }: HookContext, id: string): Promise<void> {
      await assertRole(appId, user)
      found(appId, await store.remove(appId, id, actor))
    },
  }
}
