import { useQueryClient } from '@tanstack/react-query'
import { useSignedIn } from '../../session/session.tsx'
import { createUploads, type Uploads } from './uploads.ts'

/** One for each person, for as long as the console is open. */
const made = new Map<string, Uploads>()

/** The uploads of the person who is signed in. */
export function useUploads(): Uploads {
  const { cairn, userId } = useSignedIn()
  const queries = useQueryClient()
  const known = made.get(userId)
  if (known) return known
  const uploads = createUploads(cairn, userId, () => void queries.invalidateQueries({ queryKey: ['files'] }))
  made.set(userId, uploads)
  return uploads
}
