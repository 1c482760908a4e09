import { invalid } from '../../../../platform/errors.ts'
import type { Objects } from '../../../../platform/storage/objects.ts'
import type { ObjectAccess } from '../../objects/object-access.ts'
import { readWholeObject } from '../../objects/read-object.ts'
import type { StoredFile } from '../../schema.ts'
import { ConversionFailure } from '../converter-task.ts'
import type { ConversionOptions } from '../schema.ts'

const TYPES = ['image/jpeg', 'image/png']
/** Viewers look for small pictures; it is a part of the package, and is copied unchanged. */
const MAX_BYTES = 8_000_000

type Deps = {
  store: {
    get: (id: number) => Promise<StoredFile | undefined>
    access: (key: string) => Promise<ObjectAccess>
  }
  objects: Objects
}

export type AnchorImages = ReturnType<typeof anchorImages>

/** Images that models are anchored on: uploaded files, which become a part of the USDZ. */
export function anchorImages({ store, objects }: Deps) {
  /** The image may be of nobody else than the owner of the model, and the USDZ is as public as the model. */
  const usable = async (id: number, isOwn: (owner: string | null) => boolean) => {
    const image = await store.get(id)
    if (!image || !isOwn(image.userId) || !TYPES.includes(image.mimeType) || image.size > MAX_BYTES) return undefined
    return (await store.access(image.key)).owners === null ? image : undefined
  }

  return {
    /** Checks the image of these options, if any. @param owner of the model @throws 400 */
    async assertUsable({ anchorImageId: id }: ConversionOptions, owner: string | null): Promise<void> {
      if (id === undefined || (await usable(id, (imageOwner) => imageOwner === owner))) return
      const message = `must be a JPEG or PNG of at most ${MAX_BYTES} bytes that the owner of the model has uploaded, outside private scans`
      throw invalid([{ code: 'custom', message, path: ['anchorImageId'] }])
    },

    /** The bytes of the image of these options, if any. @throws ConversionFailure if it has since gone or become private */
    async read({ anchorImageId: id }: ConversionOptions): Promise<Uint8Array | undefined> {
      if (id === undefined) return undefined
      const image = await usable(id, () => true)
      if (!image)
        throw new ConversionFailure('unsupported', 'The image of the anchor has been deleted or made private.')
      return readWholeObject(objects, image)
    },
  }
}
