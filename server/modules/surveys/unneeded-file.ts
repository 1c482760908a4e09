import type { Objects } from '../../platform/storage/objects.ts'

/** The file of an import, and whose it is. */
export type ImportedFile = { objectKey: string; fileUrl: string; userId: string | null }

type Parts = {
  /** Whether the record of another import still needs it. */
  uses: (objectKey: string) => Promise<boolean>
  objects: Pick<Objects, 'keyOf' | 'remove'>
  files: {
    find: (key: string) => Promise<{ userId: string | null } | undefined>
    remove: (key: string) => Promise<void>
  }
}

/** Takes away the file of an import whose record is gone, unless another import needs it or it is not the importer's to take away. */
export const unneededFile =
  ({ uses, objects, files }: Parts) =>
  async ({ objectKey, fileUrl, userId }: ImportedFile): Promise<void> => {
    if (await uses(objectKey)) return
    // It was fetched for this import alone.
    if (objects.keyOf(fileUrl) === undefined) return objects.remove(objectKey)
    // A file that was sent without a session is nobody's to take away: others may point to it.
    const file = await files.find(objectKey)
    if (file?.userId && file.userId === userId) await files.remove(objectKey)
  }
