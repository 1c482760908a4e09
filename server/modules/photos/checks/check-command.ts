import type { UploadedFile } from '../schema.ts'
import type { Within } from '../store.ts'
import type { CheckStore } from './check-store.ts'

/** Photos whose jobs are created in one transaction, and points that are read at once. */
const BATCH = 500

type Deps = {
  store: CheckStore
  request: (trx: Within, photos: { id: number; userId: string | null }[]) => Promise<void>
  ofGcps: (gcpIds: number[]) => Promise<Map<number, UploadedFile[]>>
}

/** Checks of photos for the command line. */
export function checkCommand({ store, request, ofGcps }: Deps) {
  return {
    /** Requests the checks of photos that have none, or of all. @returns the number of photos */
    async request({ all }: { all: boolean }): Promise<number> {
      let count = 0
      for (let after = 0; ; ) {
        const photos = await store.toCheck(after, all, BATCH)
        if (photos.length === 0) return count
        await store.transaction((trx) => request(trx, photos))
        count += photos.length
        after = photos.at(-1)!.id
      }
    },

    countPending: store.countPending,

    /** Each photo of each point, by point. */
    async *photos(): AsyncGenerator<UploadedFile> {
      for (let after = 0; ; ) {
        const ids = await store.gcpsWithPhotos(after, BATCH)
        if (ids.length === 0) return
        for (const photos of (await ofGcps(ids)).values()) yield* photos
        after = ids.at(-1)!
      }
    },
  }
}
