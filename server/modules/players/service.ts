import type { Viewer } from '../../platform/credentials/callers.ts'
import type { Actor } from '../../platform/database/audit.ts'
import { conflict, forbidden, invalid, notFound } from '../../platform/errors.ts'
import { isId } from '../../platform/ids.ts'
import type { Objects } from '../../platform/storage/objects.ts'
import type { ProfileImage } from './profile-image.ts'
import type {
  GlobalRanking,
  Player,
  PlayerAttributes,
  PlayerChange,
  PlayerUpdate,
  PlayerWithRankings,
  StandingChange,
} from './schema.ts'
import type { PlayerStore } from './store.ts'

type Deps = {
  store: PlayerStore
  newId: () => string
  userExists: (id: string) => Promise<boolean>
  globalRankings: (appId: string, playerId: string, viewer?: Viewer) => Promise<GlobalRanking[]>
  /** Deletes a player with its scores. */
  deletePlayer: (appId: string, playerId: string) => Promise<void>
  /** Sets the standing of a player, also on boards. */
  setStanding: (change: StandingChange) => Promise<void>
  /** Replaces the attributes of a player, also on boards. @returns whether the player exists */
  setAttributes: (appId: string, playerId: string, attributes: PlayerAttributes | null) => Promise<boolean>
  /** Called when the name, the image or the user of a player may have changed; awaited before the change is answered. */
  playerChanged: (appId: string, playerId: string) => void | Promise<void>
  /** Called when anything else of a player may have changed, or when it may be gone. */
  forgetKept: (appId: string, playerId: string) => void
  objects: Objects
  /** Removes objects that nothing refers to. */
  removeUnused: () => Promise<void>
}

export type PlayerService = ReturnType<typeof playerService>

export function playerService(parts: Deps) {
  const { store, newId, userExists, globalRankings, deletePlayer, setStanding, setAttributes } = parts
  const { playerChanged, forgetKept, objects, removeUnused } = parts
  const taken = (name: string) => conflict(`This app already has a player named "${name}"`)

  const checkUser = async (userId: string | null | undefined) => {
    if (userId !== null && userId !== undefined && !(isId(userId) && (await userExists(userId))))
      throw invalid([{ code: 'custom', message: 'There is no such user', path: ['userId'] }])
  }

  /** @throws 403 for a player of another app, 404 */
  const checkOwn = async (appId: string, id: string) => {
    if (await store.get(appId, id)) return
    if (await store.existsElsewhere(appId, id)) throw forbidden('This player belongs to another app')
    throw notFound('Player')
  }

  return {
    checkOwn,

    /** @throws 409 if the app already has a player of that name; 400 if the user does not exist */
    async create(appId: string, player: PlayerChange): Promise<Player> {
      await checkUser(player.userId)
      const created = await store.insert(appId, newId(), player)
      if (!created) throw taken(player.displayName)
      return created
    },

    /** @throws 404 */
    async get(app: { id: string }, id: string): Promise<Player> {
      const player = await store.get(app.id, id)
      if (!player) throw notFound('Player')
      return player
    },

    /** The player with a ranking for each type in which it has a written score. @throws 404 */
    async getWithRankings(app: { id: string; name: string }, id: string, viewer?: Viewer): Promise<PlayerWithRankings> {
      const player = await this.get(app, id)
      return { ...player, globalRankings: await globalRankings(app.id, id, viewer), appName: app.name }
    },

    /** Checks that a change by the player itself leaves its user, standing and attributes. @throws 403, 404 */
    async checkOwnChange(
      app: { id: string },
      id: string,
      { userId, standing, attributes }: PlayerUpdate,
    ): Promise<void> {
      if (standing !== undefined) throw forbidden('A player token cannot change standing: omit it')
      if (attributes !== undefined) throw forbidden('A player token cannot change attributes: omit it')
      if (userId !== undefined && userId !== (await this.get(app, id)).userId)
        throw forbidden('A player token cannot change userId: omit it')
    },

    /** @throws 403 for a player of another app, 404, 409 if the name is taken */
    async update(appId: string, id: string, change: PlayerUpdate, actor: Actor): Promise<Player> {
      const { standing, standingNote, attributes, ...fields } = change
      await checkOwn(appId, id)
      await checkUser(change.userId)
      if (fields.displayName !== undefined || fields.userId !== undefined) {
        const updated = await store.update(appId, id, fields).finally(() => playerChanged(appId, id))
        if (updated === 'taken') throw taken(fields.displayName!)
        if (!updated) throw notFound('Player')
        if (standing === undefined && attributes === undefined) return updated
      }
      const changed = () => forgetKept(appId, id)
      if (attributes !== undefined && !(await setAttributes(appId, id, attributes).finally(changed)))
        throw notFound('Player')
      if (standing !== undefined)
        await setStanding({ ...actor, appId, playerId: id, standing, note: standingNote ?? null }).finally(changed)
      return this.get({ id: appId }, id)
    },

    /** Deletes the player with its scores and its image. @throws 404 */
    async remove(app: { id: string }, id: string): Promise<void> {
      await this.get(app, id)
      await deletePlayer(app.id, id).finally(() => forgetKept(app.id, id))
      await removeUnused()
    },

    /** Sets the image of a player; the previous one is removed. @returns its URL @throws 404 */
    async setImage(appId: string, id: string, { bytes, extension }: ProfileImage): Promise<string> {
      const { key } = await objects.put(whole(bytes), { extension })
      // If this fails, the outcome is unknown: an object without a record is removed later.
      const isKept = await store.setImage(appId, id, key).finally(() => playerChanged(appId, id))
      if (!isKept) {
        await objects.remove(key)
        throw notFound('Player')
      }
      await removeUnused()
      return objects.addressOf(key)
    },

    /** Removes the image, if there is one. @throws 403 for a player of another app, 404 */
    async removeImage(appId: string, id: string): Promise<void> {
      await checkOwn(appId, id)
      await store.removeImage(appId, id).finally(() => playerChanged(appId, id))
      await removeUnused()
    },
  }
}

async function* whole(bytes: Uint8Array) {
  yield bytes
}
