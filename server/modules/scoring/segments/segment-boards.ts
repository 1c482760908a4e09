import type { BoardFills } from '../periods/board-fill.ts'
import type { SegmentStore } from './segment-store.ts'

type Deps = { store: SegmentStore; fills: BoardFills; onError: (error: unknown) => void }

/** The leaderboards of the segments of mini game types. */
export function segmentBoards({ store, fills, onError }: Deps) {
  const fillOf = (appId: string, typeKey: string) => ({
    key: `segments ${typeKey}`,
    appId,
    fill: () => store.fill(appId, typeKey),
    isReady: () => store.isReady(appId, typeKey),
  })

  return {
    /**
     * Gives the players the segments that a type declares. @returns whether they have them; false if that takes longer.
     * Boards of periods that had ended (`endsAt`) before it declared them keep those they have, and are ready
     */
    ready: async (appId: string, typeKey: string, endsAt: string | null = null): Promise<boolean> =>
      (await store.isReady(appId, typeKey, endsAt)) || fills.ready(fillOf(appId, typeKey)),

    /** Starts to give the players the segments that a type declares by now. */
    start(appId: string, typeKey: string): void {
      fills.start(fillOf(appId, typeKey)).catch(onError)
    },

    /** Finishes types whose process ended meanwhile. */
    async finish(): Promise<void> {
      for (const { appId, typeKey } of await store.unready()) await fills.start(fillOf(appId, typeKey)).catch(onError)
    },
  }
}
export type SegmentBoards = ReturnType<typeof segmentBoards>
