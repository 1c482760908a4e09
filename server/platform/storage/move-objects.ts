import { ObjectExists, type Objects } from './objects.ts'

/** Concurrent copies, because a remote storage responds slowly. */
const AT_ONCE = 4

export type Moved = { copied: number; alreadyThere: number; removed: number; bytes: number; different: string[] }

type Deps = {
  from: Objects
  to: Objects
  /** Whether to delete each object from its source once it is copied. */
  remove: boolean
  onProgress: (soFar: Moved) => void
}

/**
 * Copies every object to another storage, under the same key. Existing objects stay, so an interrupted move can be
 * repeated. @returns what was done; `different` are keys with another object at the target @throws the error of the
 * first failed object, after the running ones have completed
 */
export async function moveObjects({ from, to, remove, onProgress }: Deps): Promise<Moved> {
  const moved: Moved = { copied: 0, alreadyThere: 0, removed: 0, bytes: 0, different: [] }
  const objects = from.list()[Symbol.asyncIterator]()
  let isBroken = false

  /** @returns whether it was copied now */
  const copy = async (key: string): Promise<boolean> => {
    const bytes = await from.read(key)
    if (!bytes) return false
    try {
      await to.put(bytes, { key })
      return true
    } catch (error) {
      if (error instanceof ObjectExists) return false
      throw error
    }
  }

  const move = async (key: string, size: number) => {
    const there = await to.size(key)
    const isNew = there === undefined && (await copy(key))
    const now = isNew || there === undefined ? await to.size(key) : there
    // Deleted meanwhile by a running service.
    if (now === undefined && (await from.size(key)) === undefined) return
    if (now !== size) return void moved.different.push(key)
    if (isNew) moved.copied++
    else moved.alreadyThere++
    moved.bytes += isNew ? size : 0
    if (remove) {
      await from.remove(key)
      moved.removed++
    }
    onProgress(moved)
  }

  const worker = async () => {
    while (!isBroken) {
      const { done, value } = await objects.next()
      if (done) return
      await move(value.key, value.size).catch((error) => {
        isBroken = true
        throw error
      })
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
  return moved
}
