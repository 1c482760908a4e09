/** An unfinished upload that can be resumed after a reload. Its file is recognized by name and size. */
export type StoredUpload = { name: string; size: number; sent: number; address: string }

/** Uploads belong to one user. */
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
