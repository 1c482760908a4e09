import type { Cairn } from '@cairn/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useSignedIn } from '../../../session/session.tsx'
import { createUploadQueue, type UploadQueue } from './upload-queue.ts'

/** One for each person, for as long as the console is open. */
const made = new Map<string, { present: { cairn: Cairn }; uploads: UploadQueue }>()

/** The uploads of the person who is signed in. */
export function useUploads(): UploadQueue {
  const { cairn, userId } = useSignedIn()
  const queries = useQueryClient()
  const known = made.get(userId)
  const present = known?.present ?? { cairn }
  // Whoever signed in anew sends with the new session.
  present.cairn = cairn
  if (known) return known.uploads
  const uploads = createUploadQueue(present, userId, () => void queries.invalidateQueries({ queryKey: ['files'] }))
  made.set(userId, { present, uploads })
  return uploads
}
