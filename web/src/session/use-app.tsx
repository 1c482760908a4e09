import { type App, type Cairn, createCairn } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { monitoredFetch, RETRY } from './connectivity.ts'
import { useCairn, useSession } from './session.tsx'

/** Each answer with a key is written to the audit log: what is known is good for so long. */
export const APP_STALE_MS = 5 * 60_000

/** One app, as the person who is signed in sees it. */
export function useApp(appId: string) {
  const cairn = useCairn()
  return useQuery({
    queryKey: ['app', appId],
    queryFn: ({ signal }) => cairn.apps.get(appId, { signal }),
    staleTime: APP_STALE_MS,
  })
}

/** Only the owner of an app is told its key; others see it masked. */
export const hasKey = (app: App): boolean => !app.apiKey.includes('…')

/** The service as the app itself: players, games and boards are reached with its key.
 * @returns undefined while the app is not known, or its key is not this person's to see */
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
