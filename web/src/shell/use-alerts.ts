import { useQuery } from '@tanstack/react-query'
import { messages } from '../messages/index.ts'
import { useCairn, useRoles } from '../session/session.tsx'
import { useAppCairn } from '../session/use-app.tsx'
import { useCurrentApp } from './current-app.tsx'

type Alert = { count: number; label: string }

/** Counts that need attention, by page: held scores and check-ins, duplicate AprilTags and failed jobs. Refetched every minute. */
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
  const { app } = useCurrentApp()
  const inApp = useAppCairn(app)
  const held = useQuery({
    queryKey: ['reviews', app?.id, 'count'],
    queryFn: async ({ signal }) => (await inApp!.reviews.list({ state: 'held', limit: 1 }, { signal }).first()).total,
    enabled: inApp !== undefined,
    ...every,
  })
  return {
    ...(held.data
      ? { '/apps/$appId/reviews': { count: held.data, label: messages.shell.alerts.heldScores(held.data) } }
      : {}),
    ...(conflicts.data
      ? { '/map': { count: conflicts.data, label: messages.shell.alerts.conflicts(conflicts.data) } }
      : {}),
    ...(failed.data ? { '/health': { count: failed.data, label: messages.shell.alerts.failedJobs(failed.data) } } : {}),
  }
}
