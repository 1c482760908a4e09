import { statfs } from 'node:fs/promises'

const FRESH_MS = 1000

/** Available bytes on the disk of a folder, at most a second old, as is a failure: every write of a request asks. */
export function diskSpace(folder: string) {
  let known: { at: number; free: Promise<number> } | undefined

  return function free(): Promise<number> {
    // A monotonic clock: setting the other one back would keep an old value for as long.
    const now = performance.now()
    if (!known || now - known.at > FRESH_MS) {
      const asked = statfs(folder).then(({ bavail, bsize }) => bavail * bsize)
      known = { at: now, free: asked }
      asked.catch(() => {}) // for callers that are gone
    }
    return known.free
  }
}
