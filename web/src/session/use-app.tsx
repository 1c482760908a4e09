import { type App, type Cairn, createCairn } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { monitoredFetch, RETRY } from './connectivity.ts'
import { useCairn, useSession } from './session.tsx'

/** Reading a key adds an audit log entry, so results stay fresh for this long. */
export const APP_STALE_MS = 5 * 60_000

/** One app, as the signed-in user may see it. */
export function useApp(appId: string) {
  const cairn = useCairn()
  return useQuery({
    queryKey: ['app', appId],
    queryFn: ({ signal }) => cairn.apps.get(appId, { signal }),
    staleTime: APP_STALE_MS,
  })
}

/** Whether the app includes its key. Only its owner sees it unmasked. */
export const hasKey = (app: App): boolean => !app.apiKey.includes('…')

/** A client that calls as the app, with its key. @returns undefined while the app is loading, or if the user may not see its key */
export function useAppCairn(app: App | undefined): Cairn | undefined {
  const { connectivity } = useSession()
  const key = app && hasKey(app) ? app.apiKey : undefined
  return useMemo(
    () =>
      key
        ? createCairn({ baseUrl: location.origin, appKey: key, fetch: monitoredFetch(connectivity), retry: RETRY })
        : undefined,
    [key, connectivity],
  )
}
