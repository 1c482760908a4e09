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
    /** Waits until the players have the segments that the type declares. @throws 503 if that takes longer */
    async ready(appId: string, typeKey: string): Promise<void> {
      if (!(await store.isReady(appId, typeKey))) await fills.ready(fillOf(appId, typeKey))
    },

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
