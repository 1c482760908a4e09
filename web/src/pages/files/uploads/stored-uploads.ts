/** Uploads that were begun and not ended, so that they go on after a reload: where the service keeps them, and by what their file is known again. */
export type KeptUpload = { name: string; size: number; sent: number; address: string }

/** Of one person: another one in this browser cannot go on with them. */
const keyOf = (userId: string) => `cairn-uploads-${userId}`

export function readKept(userId: string): KeptUpload[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]') as KeptUpload[]
  } catch {
    return []
  }
}

export function writeKept(userId: string, uploads: KeptUpload[]): void {
  if (uploads.length === 0) localStorage.removeItem(keyOf(userId))
  else localStorage.setItem(keyOf(userId), JSON.stringify(uploads))
}
