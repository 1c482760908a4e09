import { LRUCache } from 'lru-cache'
import { cacheEntries } from '../../../platform/concurrency/cache-entries.ts'
import { foldName } from '../../../platform/names.ts'
import type { MiniGameType, TypeChoice } from '../schema.ts'
import type { GameTypes } from './service.ts'

/** Two for each of some thousand types: by id and by name. */
const MAX_KEPT = 10_000

export type KeptTypes = ReturnType<typeof keptTypes>

/**
 * The mini game types that requests have named, in a process that learns of every change before it is answered.
 */
export function keptTypes({ choose, getWithHidden }: Pick<GameTypes, 'choose' | 'getWithHidden'>) {
  const kept = new LRUCache<string, MiniGameType>(cacheEntries(MAX_KEPT))
  /** Counts changes: a type that was read during one is not kept. */
  let changes = 0

  return {
    getWithHidden,

    /** As `choose` of the service, from memory if possible. */
    async choose(appId: string, choice: TypeChoice): Promise<MiniGameType | undefined> {
      const named = nameIn(choice)
      if (named === undefined) return choose(appId, choice)
      const key = `${appId} ${named}`
      const found = kept.get(key)
      if (found) return found
      const before = changes
      const type = await choose(appId, choice)
      if (type && changes === before) kept.set(key, type)
      return type
    },

    /** A type of the app may have changed. */
    forget(appId: string): void {
      changes++
      for (const key of kept.keys()) if (key.startsWith(appId)) kept.delete(key)
    },

    /** Any type may have changed. */
    forgetAll(): void {
      changes++
      kept.clear()
    },
  }
}

/** How a request names a type; undefined if by neither or both of id and name. */
function nameIn({ miniGameTypeId: id, miniGameTypeName: name }: TypeChoice): string | undefined {
  if (id != null) return name == null ? `id ${id.toLowerCase()}` : undefined
  return name == null ? undefined : `name ${foldName(name)}`
}
