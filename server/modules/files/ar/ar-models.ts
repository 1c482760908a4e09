import { notFound } from '../../../platform/errors.ts'
import { GLB } from '../../../platform/storage/types/file-types.ts'
import { withoutOptions } from '../conversion/conversion-key.ts'
import { AR_TYPES, isConvertible } from '../conversion/formats/convertible.ts'
import type { FileStore } from '../store.ts'
import type { ArModel } from './ar-page.ts'
import type { ArStore } from './ar-store.ts'

type Deps = {
  /** Finds announced files too. */
  files: Pick<FileStore, 'get' | 'access' | 'conversions'>
  store: ArStore
  addressOf: (key: string) => string
  publicUrl: () => string
}

export type ArModels = ReturnType<typeof arModels>

/** Models for the public AR page: those whose files do not belong to a private scan. */
export function arModels({ files, store, addressOf, publicUrl }: Deps) {
  const isOpen = async (key: string) => (await files.access(key)).owners === null

  return {
    /** @throws 404 if the file is not a model, or not public */
    async get(fileId: number): Promise<ArModel> {
      const file = await files.get(fileId)
      if (!file || !AR_TYPES.includes(file.mimeType) || !(await isOpen(file.key))) throw notFound('Model')

      const isSource = isConvertible(file)
      const [conversion, previewKey] = await Promise.all([
        isSource ? files.conversions.get(withoutOptions(file.sha256)) : undefined,
        store.previewOf(fileId),
      ])
      const usdzKey = isSource ? conversion?.result?.key : file.key
      const hasUsdz = usdzKey !== undefined && (await isOpen(usdzKey))
      const isComing = conversion?.status === 'PENDING' || conversion?.status === 'PROCESSING'
      return {
        name: file.fileName,
        pageUrl: `${publicUrl()}/ar/${fileId}`,
        glbUrl: file.mimeType === GLB.mimeType ? addressOf(file.key) : null,
        usdzUrl: hasUsdz ? addressOf(usdzKey) : null,
        previewUrl: previewKey && addressOf(previewKey),
        usdz: hasUsdz ? 'there' : isComing ? 'coming' : 'none',
      }
    },
  }
}
