import { badRequest, conflict, invalid, notFound } from '../../../platform/errors.ts'
import { isId } from '../../../platform/ids.ts'
import { foldName } from '../../../platform/names.ts'
import { quotaExceeded } from '../../../platform/quotas.ts'
import type { TimeZoneCheck } from '../periods/time-zones.ts'
import type { MiniGameType, MiniGameTypeChange, NewMiniGameType, TypeChoice } from '../schema.ts'
import { defaultGame, type TypeStore } from './store.ts'

type Deps = {
  store: TypeStore
  newId: () => string
  most: number
  checkTimeZone: TimeZoneCheck
  /** Called when the rules of a type of this app may have changed. */
  rulesChanged: (appId: string) => void
  /** Called when a type of this app may have changed. */
  typeChanged: (appId: string) => void
  /** Called when the segments of a type may have changed. */
  segmentsChanged: (appId: string, id: string) => void
}

/** The rules of mini game types. */
export function gameTypes({ store, newId, most, checkTimeZone, rulesChanged, typeChanged, segmentsChanged }: Deps) {
  const taken = (name: string) => conflict(`This app already has a mini game type named "${name}"`)
  const disagree = () => badRequest('miniGameTypeId and miniGameTypeName name different types: send one of them')

  /** The type a request names by id, by name or by both; undefined when by neither. @throws 404 unknown, 400 when the two disagree */
  async function choose(
    appId: string,
    { miniGameTypeId: id, miniGameTypeName: name }: TypeChoice,
  ): Promise<MiniGameType | undefined> {
    const byId = id !== undefined && id !== null
    const byName = name !== undefined && name !== null
    if (!byId && !byName) return undefined
    const type = byId ? isId(id) && (await store.get(appId, id)) : await store.getByName(appId, name!)
    if (!type) throw notFound('Mini game type')
    if (byId && byName && foldName(type.name) !== foldName(name)) {
      if (!(await store.getByName(appId, name))) throw notFound('Mini game type')
      throw disagree()
    }
    return type
  }

  return {
    /** A name belongs to one type of an app. @throws 409 when it is taken, or the app has as many as it may */
    async create(appId: string, type: NewMiniGameType): Promise<MiniGameType> {
      await checkTimeZone(type.timeZone, ['timeZone'])
      const created = await store.insert(appId, newId(), type, most)
      if (created === 'full') throw quotaExceeded('gameTypes', most)
      if (created === 'full of hidden') throw tooManyHidden(most)
      if (!created) throw taken(type.name)
      if (type.rules) rulesChanged(appId)
      return created
    },

    /** @throws 404; a hidden type is no longer there */
    async get(appId: string, id: string): Promise<MiniGameType> {
      const type = await store.get(appId, id)
      if (!type) throw notFound('Mini game type')
      return type
    },

    /** A type, also a hidden one. */
    getWithHidden: store.getWithHidden,

    /** The key of a type that a filter names by id, name or both; undefined for all types. @throws 404 unknown, 400 when the two disagree */
    async keyOf(appId: string, filter: TypeChoice): Promise<string | undefined> {
      if (filter.miniGameTypeId !== 'default') return (await choose(appId, filter))?.id
      const named = await choose(appId, { miniGameTypeName: filter.miniGameTypeName })
      if (named) throw disagree()
      return defaultGame
    },

    /** Scores already written stay as they are when the bounds change. @throws 404; 409 when the name is taken, or when another order, mode or ties are asked for once a score is written; 400 when the bounds cross */
    async change(appId: string, id: string, change: MiniGameTypeChange): Promise<MiniGameType> {
      if (change.timeZone !== undefined) await checkTimeZone(change.timeZone, ['timeZone'])
      const changed = await store.change(appId, id, change).finally(() => typeChanged(appId))
      if (changed === undefined) throw notFound('Mini game type')
      if (changed === 'taken') throw taken(change.name!)
      if (changed === 'order_fixed')
        throw conflict('The sort order of a mini game type is fixed once a score is written: create another type')
      if (changed === 'mode_fixed')
        throw conflict('The score mode of a mini game type is fixed once a score is written: create another type')
      if (changed === 'ties_fixed')
        throw conflict('The ties of a mini game type are fixed once a score is written: create another type')
      if (changed === 'bounds_crossed') {
        const path = [change.maxScore === undefined ? 'minScore' : 'maxScore']
        throw invalid([{ code: 'custom', message: 'maxScore must not be less than minScore', path }])
      }
      if (change.rules !== undefined) rulesChanged(appId)
      if (change.segments !== undefined) segmentsChanged(appId, changed.id)
      return changed
    },

    /** Takes a type out of lists and leaderboards and frees its name. Its sessions still show it. @throws 404 */
    async hide(appId: string, id: string): Promise<void> {
      if (!(await store.hide(appId, id).finally(() => typeChanged(appId)))) throw notFound('Mini game type')
    },

    /** Shows a hidden type again, with the scores written while it was hidden. @throws 404; 409 if another type has taken its name */
    async restore(appId: string, id: string): Promise<MiniGameType> {
      const restored = await store.restore(appId, id, most).finally(() => typeChanged(appId))
      if (restored === 'full') throw quotaExceeded('gameTypes', most)
      if (restored === undefined) throw notFound('Mini game type')
      if (restored === 'taken')
        throw conflict('Another mini game type of this app now has this name: give that type another name first')
      return restored
    },

    choose,
  }
}

const tooManyHidden = (most: number) =>
  conflict(
    `An app has at most ${most.toLocaleString('en')} hidden mini game types: restore one, or ask the operator to raise CAIRN_QUOTA_GAME_TYPES; those that nobody played make room ten minutes after they were hidden`,
  )

export type GameTypes = ReturnType<typeof gameTypes>
