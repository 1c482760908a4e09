import { useQuery } from '@tanstack/react-query'
import { messages } from '../messages/index.ts'
import { useCairn, useRoles } from '../session/session.tsx'

type Alert = { count: number; label: string }

/** Counts that need attention, by page: duplicate April tags and failed jobs. Refetched every minute. */
export function useAlerts(): Partial<Record<string, Alert>> {
  const cairn = useCairn()
  const { isOps } = useRoles()
  const every = { refetchInterval: 60_000, staleTime: 30_000 }
  const conflicts = useQuery({
    queryKey: ['tag-conflicts', 'count'],
    queryFn: async ({ signal }) => (await cairn.gcps.tagConflicts({ limit: 1 }, { signal })).total,
    ...every,
  })
  const failed = useQuery({
    queryKey: ['jobs', 'failed', 'count'],
    queryFn: async ({ signal }) => (await cairn.box.jobs({ state: 'failed', limit: 1 }, { signal }).first()).total,
    enabled: isOps,
    ...every,
  })
  return {
    ...(conflicts.data ? { '/map': { count: conflicts.data, label: messages.map.conflicts(conflicts.data) } } : {}),
    ...(failed.data ? { '/health': { count: failed.data, label: messages.admin.failedJobs(failed.data) } } : {}),
  }
}
