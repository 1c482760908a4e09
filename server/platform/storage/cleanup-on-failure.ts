import type { Objects } from './objects.ts'

type Deps = {
  objects: Pick<Objects, 'remove'>
  /** Whether an object has a record. */
  isKnown: (key: string) => Promise<boolean>
}

/**
 * Runs `record` for new objects; if it fails, removes those without a record. A commit whose response was lost keeps
 * its objects, as does an unknown outcome. @param keys may grow while `record` creates objects
 */
export async function cleanupOnFailure<T>(
  keys: string[],
  record: () => Promise<T>,
  { objects, isKnown }: Deps,
): Promise<T> {
  try {
    return await record()
  } catch (error) {
    for (const key of keys) if (!(await isKnown(key).catch(() => true))) await objects.remove(key)
    throw error
  }
}
