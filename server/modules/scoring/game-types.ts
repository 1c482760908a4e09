import { badRequest, conflict, notFound } from '../../platform/errors.ts'
import { isId } from '../../platform/ids.ts'
import { foldName } from '../../platform/names.ts'
import type { MiniGameType, NewMiniGameType, TypeChoice } from './schema.ts'
import type { TypeStore } from './type-store.ts'

/** The rules of mini game types. */
export function gameTypes({ store, newId }: { store: TypeStore; newId: () => string }) {
  return {
    /** A name belongs to one type of an app. @throws 409 when it is taken. */
    async create(appId: string, type: NewMiniGameType): Promise<MiniGameType> {
      const created = await store.insert(appId, newId(), type)
      if (!created) throw conflict(`This app already has a mini game type named "${type.name}"`)
      return created
    },

    /** The type a request names by id, by name or by both; undefined when by neither. @throws 404 unknown, 400 when the two disagree */
    async choose(
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
        throw badRequest('miniGameTypeId and miniGameTypeName name different types: send one of them')
      }
      return type
    },
  }
}
export type GameTypes = ReturnType<typeof gameTypes>
