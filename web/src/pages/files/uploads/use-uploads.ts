import type { Cairn } from '@cairn/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useSignedIn } from '../../../session/session.tsx'
import { createUploadQueue, type UploadQueue } from './upload-queue.ts'

/** One queue per user while the console is open. */
const made = new Map<string, { present: { cairn: Cairn }; uploads: UploadQueue }>()

/** The uploads of the signed-in user. */
export function useUploads(): UploadQueue {
  const { cairn, userId } = useSignedIn()
  const queries = useQueryClient()
  const known = made.get(userId)
  const present = known?.present ?? { cairn }
  // Uploads continue with the new session.
  present.cairn = cairn
  if (known) return known.uploads
  const uploads = createUploadQueue(present, userId, () => void queries.invalidateQueries({ queryKey: ['files'] }))
  made.set(userId, { present, uploads })
  return uploads
}
