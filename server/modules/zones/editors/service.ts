import type { UserCaller } from '../../../platform/credentials/callers.ts'
import { assertMayChange } from '../../../platform/credentials/guards.ts'
import type { Actor } from '../../../platform/database/audit.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import type { ZoneStore } from '../store.ts'
import { MAX_EDITORS, type ZoneEditor } from './schema.ts'
import type { EditorStore } from './store.ts'

type Deps = { store: EditorStore; zone: ZoneStore['owner'] }
export type EditorService = ReturnType<typeof editorService>

/** The rules of editors: the owner of a zone and ops choose them. */
export function editorService({ store, zone }: Deps) {
  const find = async (id: number) => {
    const found = await zone(id)
    if (!found) throw notFound('Zone')
    return found
  }

  return {
    /** For the owner, editors and ops. @throws 403, 404 */
    async list(user: UserCaller, zoneId: number): Promise<ZoneEditor[]> {
      const { userId, editors } = await find(zoneId)
      assertMayChange(user, [userId, ...editors], 'zone')
      return store.list(zoneId)
    },

    /** @throws 403; 404 for an unknown user; 409 for the owner and for an editor, and beyond 100 editors */
    async add(user: UserCaller, zoneId: number, userId: string, actor: Actor): Promise<ZoneEditor> {
      assertMayChange(user, [(await find(zoneId)).userId], 'zone')
      const added = await store.add(zoneId, userId, actor)
      if (added === 'no_user') throw notFound('User')
      if (added === 'no_zone') throw notFound('Zone')
      if (added === 'owner') throw conflict('This user owns the zone')
      if (added === 'is_editor') throw conflict('This user is an editor of the zone already')
      if (added === 'full') throw conflict(`A zone has at most ${MAX_EDITORS} editors: remove one first`)
      return added
    },

    /** Removes an editor, or lets the caller leave. @throws 403, 404 */
    async remove(user: UserCaller, zoneId: number, userId: string, actor: Actor): Promise<void> {
      const found = await find(zoneId)
      assertMayChange(user, [found.userId, userId.toLowerCase()], 'zone')
      if (!(await store.remove(zoneId, userId, actor))) throw notFound('Editor')
    },
  }
}
