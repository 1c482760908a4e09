import type * as api from '../generated/types.gen.ts'
import { type Conditions, conditionHeaders } from '../http/conditions.ts'
import type { CallOptions, Connection, Tagged } from '../http/connection.ts'

/** JSON that a game keeps for a player, by key. Requires the app's key. */
export const playerData = (to: Connection) => ({
  /** The keys of a player in order, without their values. */
  keys: (playerId: string, query?: api.ListPlayerStorageKeysData['query'], call?: CallOptions) =>
    to.list<api.ListPlayerStorageKeysData, api.PlayerStorageKeyList, api.PlayerStorageKey>(
      '/api/v1/apps/players/{id}/storage',
      { path: { id: playerId }, query },
      ({ keys }) => keys,
      call,
    ),
  /** A value and its ETag. @throws CairnError 404 without the key */
  get: <Value = api.PlayerStorageValue>(playerId: string, key: string, call?: CallOptions): Promise<Tagged<Value>> =>
    to.tagged<api.GetPlayerStorageValueData, Value>(
      '/api/v1/apps/players/{id}/storage/{key}',
      { path: { id: playerId, key } },
      call,
    ),
  /** Replaces a value. With a condition it is sent once only. @throws CairnError 412 if the condition does not hold */
  set: (playerId: string, key: string, body: object, conditions: Conditions = {}, call?: CallOptions) =>
    to.put<api.SetPlayerStorageValueData, api.PlayerStorageKey>(
      '/api/v1/apps/players/{id}/storage/{key}',
      { path: { id: playerId, key }, body: body as api.PlayerStorageValueInput, ...conditionHeaders(conditions) },
      call,
    ),
  /** @throws CairnError 404 without the key, 412 if the condition does not hold */
  delete: (playerId: string, key: string, conditions: Conditions = {}, call?: CallOptions) =>
    to.delete<api.DeletePlayerStorageValueData>(
      '/api/v1/apps/players/{id}/storage/{key}',
      { path: { id: playerId, key }, ...conditionHeaders(conditions) },
      call,
    ),
})
