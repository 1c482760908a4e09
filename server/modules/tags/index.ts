import { createPhotoReader } from './process/photo-reader.ts'

export type Tags = ReturnType<typeof createTags>

/** April tags in photos. */
export function createTags() {
  const reader = createPhotoReader()
  return {
    /** What a photo shows, read in a process of its own. */
    read: reader.read,
    /** Ends the worker processes, after the jobs have ended. */
    close: reader.close,
  }
}
