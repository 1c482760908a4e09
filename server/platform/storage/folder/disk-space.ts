import { statfs } from 'node:fs/promises'

const FRESH_MS = 1000

/** How many bytes the disk of a folder has left for us, at most a second old. */
export function diskSpace(folder: string) {
  let known: { at: number; free: Promise<number> } | undefined

  return function free(): Promise<number> {
    // The clock that nobody sets: set back, the other would keep an old figure for as long.
    const now = performance.now()
    if (!known || now - known.at > FRESH_MS) {
      const asked = statfs(folder).then(({ bavail, bsize }) => bavail * bsize)
      known = { at: now, free: asked }
      asked.catch(() => {
        known = undefined
      })
    }
    return known.free
  }
}
