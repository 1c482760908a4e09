/** UploadQueue that were begun and not ended, so that they go on after a reload: where the service keeps them, and by what their file is known again. */
export type StoredUpload = { name: string; size: number; sent: number; address: string }

/** Of one person: another one in this browser cannot go on with them. */
const keyOf = (userId: string) => `cairn-uploads-${userId}`

export function loadUploads(userId: string): StoredUpload[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]') as StoredUpload[]
  } catch {
    return []
  }
}

export function storeUploads(userId: string, uploads: StoredUpload[]): void {
  if (uploads.length === 0) localStorage.removeItem(keyOf(userId))
  else localStorage.setItem(keyOf(userId), JSON.stringify(uploads))
}
