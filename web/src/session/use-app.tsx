import type { App, AppRole, Cairn } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useCairn, useSignedIn } from './session.tsx'

export const APP_STALE_MS = 5 * 60_000

/** One app, as the signed-in user may see it, with its key masked. */
export function useApp(appId: string) {
  const cairn = useCairn()
  return useQuery({
    queryKey: ['app', appId],
    queryFn: ({ signal }) => cairn.apps.getMasked(appId, { signal }),
    staleTime: APP_STALE_MS,
  })
}

/** Each role includes the ones before it. */
const ROLES: AppRole[] = ['viewer', 'moderator', 'developer', 'admin', 'owner']

/** Whether the user's role in the app includes this one. */
export const hasRole = (app: App, role: AppRole): boolean =>
  app.role !== undefined && ROLES.indexOf(app.role) >= ROLES.indexOf(role)

/** A client that acts in the app as the signed-in user. @returns undefined while the app is loading, or if the user is not a member */
export function useAppCairn(app: App | undefined): Cairn | undefined {
  const { inApp } = useSignedIn()
  return app?.role === undefined ? undefined : inApp(app.id)
}

/** Reads the app's key. Each read is in the audit log, so this is for views that need the key itself. */
export function useReadKey(appId: string): () => Promise<string> {
  const cairn = useCairn()
  return async () => (await cairn.apps.get(appId)).apiKey
}

/** The app's key, for admins and owners of the app. It is read once per page load, because each read is in the audit log. */
export function useApiKey(app: App) {
  const read = useReadKey(app.id)
  return useQuery({
    queryKey: ['api-key', app.id],
    queryFn: read,
    enabled: hasRole(app, 'admin'),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
