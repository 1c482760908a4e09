import { type App, type Cairn, CairnError } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useCairn, useRoles } from '../../session/session.tsx'
import { APP_STALE_MS } from '../../session/use-app.tsx'

/** An app the user may view. Ops and admins can view every app, with its key masked. */
export function useVisibleApp(appId: string) {
  const cairn = useCairn()
  const { isOps } = useRoles()
  return useQuery({
    queryKey: ['app', appId],
    staleTime: APP_STALE_MS,
    queryFn: async ({ signal }): Promise<App> => {
      try {
        return await cairn.apps.getMasked(appId, { signal })
      } catch (error) {
        const isHidden = error instanceof CairnError && error.status === 404 && isOps
        const found = isHidden ? await findAmongAll(cairn, appId, signal) : undefined
        if (found) return found
        throw error
      }
    },
  })
}

async function findAmongAll(cairn: Cairn, appId: string, signal: AbortSignal): Promise<App | undefined> {
  for await (const app of cairn.apps.list({ all: true, limit: 1000 }, { signal })) if (app.id === appId) return app
  return undefined
}
