import type { Objects } from './objects.ts'

type Deps = {
  objects: Pick<Objects, 'remove'>
  /** Whether an object has a record. */
  isKnown: (key: string) => Promise<boolean>
}

/** Does what makes new objects known; if that fails, those without a record are removed. A record may have been written after all, its answer lost: then its object stays, as all do while nobody knows.
 * @param keys may grow while `record` makes the objects */
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
