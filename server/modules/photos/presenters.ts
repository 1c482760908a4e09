import { checkResultOf } from './checks/check-result.ts'
import type { PhotoCheckResult, UploadedFile } from './schema.ts'
import type { FileRow, PhotoRow } from './store.ts'

export type PhotoPresenters = ReturnType<typeof photoPresenters>

/** Photos as the API returns them. */
export function photoPresenters(addressOf: (key: string) => string) {
  const file = (row: FileRow, gcpId: number | null): Omit<UploadedFile, keyof PhotoCheckResult> => ({
    id: row.id,
    fileName: row.fileName,
    fileUrl: addressOf(row.key),
    fileSize: row.size,
    mimeType: row.mimeType,
    bucketPath: row.key,
    gcpId,
    userId: row.userId,
    uploadedAt: row.createdAt,
  })
  return {
    file,
    /** With what the photo shows. */
    shown: (row: PhotoRow): UploadedFile => ({ ...file(row, row.gcpId), ...checkResultOf(row) }),
  }
}
