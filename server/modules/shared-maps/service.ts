import { randomUUID } from 'node:crypto'
import { coalesce } from '../../platform/concurrency/coalesce.ts'
import type { AppUser } from '../../platform/credentials/callers.ts'
import type { Actor } from '../../platform/database/audit.ts'
import { type Issue, invalid, notFound } from '../../platform/errors.ts'
import type { Scoring } from '../scoring/index.ts'
import type { boardTop } from './board-top.ts'
import {
  MAX_POSITIONS,
  type NewSharedMap,
  type SharedMap,
  type SharedMapChange,
  type SharedMapView,
  type ShownBoard,
  TOP,
} from './schema.ts'
import type { SharedMapStore, StoredMap, ViewedMap } from './store.ts'

type Deps = {
  store: SharedMapStore
  publicUrl: () => string
  /** @throws 404 if the user may not know the app, 403 without the role that the operation needs */
  assertRole: (appId: string, user: AppUser) => Promise<unknown>
  topOf: ReturnType<typeof boardTop>
  sortOrderOf: Scoring['sortOrderOf']
}

export type SharedMapService = ReturnType<typeof sharedMapService>

/** Maps that users share by a link. */
export function sharedMapService({ store, publicUrl, assertRole, topOf, sortOrderOf }: Deps) {
  const share = coalesce<SharedMapView>()
  const shown = (map: StoredMap): SharedMap => ({ ...map, url: `${publicUrl()}/m/${map.id}` })

  /** Checks what a request chooses. @throws 400 for what cannot be shown, 403 and 404 for a board of an app */
  async function assertShowable(
    { zoneIds = [], pinIds = [], boards = [] }: SharedMapChange,
    user: AppUser,
  ): Promise<void> {
    const { zones, pins, positions } = await store.faultsOf({ zoneIds, pinIds })
    const issues: Issue[] = [
      ...zones.map((id) => fault('zoneIds', zoneIds.indexOf(id), `There is no zone ${id}`)),
      ...pins.map((id) => fault('pinIds', pinIds.indexOf(id), `There is no pin ${id}, or it is private`)),
    ]
    if (positions > MAX_POSITIONS) {
      const message = `the boundaries have ${positions} positions, and a map shows at most ${MAX_POSITIONS}: choose fewer zones`
      issues.push({ code: 'custom', message, path: ['zoneIds'] })
    }
    if (issues.length > 0) throw invalid(issues)
    for (const [at, { appId, miniGameTypeId }] of boards.entries()) {
      await assertRole(appId, user)
      if (miniGameTypeId && !(await sortOrderOf(appId, miniGameTypeId)))
        throw invalid([fault('boards', at, 'There is no such mini game type')])
    }
  }

  async function boardOf({ appId, miniGameTypeId, appName }: ViewedMap['boards'][number]): Promise<ShownBoard[]> {
    const board = await topOf(appId, miniGameTypeId, TOP)
    return board ? [{ title: board.name ? `${appName}: ${board.name}` : appName, entries: board.entries }] : []
  }

  async function viewOf(id: string): Promise<SharedMapView> {
    const map = await store.view(id)
    if (!map) throw notFound('Shared map')
    const boards = await Promise.all(map.boards.map(boardOf))
    const pins = map.pins.map(({ fileId, ...pin }) => ({
      ...pin,
      arUrl: fileId === null ? null : `${publicUrl()}/ar/${fileId}`,
    }))
    return { ...map, pins, boards: boards.flat() }
  }

  return {
    list: async (user: AppUser): Promise<SharedMap[]> => (await store.list(user.id)).map(shown),

    /** @throws 400, 403, 404, 409 for one too many */
    async create(user: AppUser, map: NewSharedMap, actor: Actor): Promise<SharedMap> {
      await assertShowable(map, user)
      return shown(await store.insert(randomUUID(), user.id, map, actor))
    },

    /** @throws 400, 403, 404 */
    async update(id: string, user: AppUser, change: SharedMapChange, actor: Actor): Promise<SharedMap> {
      await assertShowable(change, user)
      const after = await store.update(id, user.id, change, actor)
      if (!after) throw notFound('Shared map')
      return shown(after)
    },

    /** @throws 404 */
    async remove(id: string, user: AppUser, actor: Actor): Promise<void> {
      if (!(await store.remove(id, user.id, actor))) throw notFound('Shared map')
    },

    /** What anyone sees who knows the ID. Requests for one map at the same time share the reading. @throws 404 */
    view: (id: string): Promise<SharedMapView> => share(id, () => viewOf(id)),
  }
}

const fault = (list: string, at: number, message: string): Issue => ({ code: 'custom', message, path: [list, at] })
