import type { App } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { useCairn } from '../session/session.tsx'
import { APP_STALE_MS } from '../session/use-app.tsx'

const STORAGE_KEY = 'cairn-app'

type CurrentApp = {
  /** The user's apps, oldest first; undefined while loading. */
  apps: App[] | undefined
  /** The app in the URL, or the last one viewed. */
  app: App | undefined
  /** Why the apps could not be loaded. */
  error: Error | null
}

const CurrentAppContext = createContext<CurrentApp>({ apps: undefined, app: undefined, error: null })

/** Provides the user's apps and the current app. */
export function CurrentAppProvider({ children }: { children: ReactNode }) {
  const cairn = useCairn()
  const { appId } = useParams({ strict: false })
  const { data: apps, error } = useQuery({
    queryKey: ['apps'],
    queryFn: ({ signal }) => cairn.apps.list({ maskKeys: true }, { signal }).all(),
    staleTime: APP_STALE_MS,
  })
  const [lastId, setLastId] = useState(() => localStorage.getItem(STORAGE_KEY))

  useEffect(() => {
    if (!appId) return
    localStorage.setItem(STORAGE_KEY, appId)
    setLastId(appId)
  }, [appId])

  const current = useMemo(() => {
    const app = apps?.find(({ id }) => id === (appId ?? lastId)) ?? apps?.[0]
    return { apps, app, error }
  }, [apps, appId, lastId, error])
  return <CurrentAppContext value={current}>{children}</CurrentAppContext>
}

export const useCurrentApp = (): CurrentApp => use(CurrentAppContext)
