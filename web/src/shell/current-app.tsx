import type { App } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { useCairn } from '../session/session.tsx'
import { APP_STALE_MS } from '../session/use-app.tsx'

const STORAGE_KEY = 'cairn-app'

type CurrentApp = {
  /** All apps of the person, oldest first; undefined while they are not known. */
  apps: App[] | undefined
  /** The one whose pages the navigation leads to: that of the address, else the last one that was looked at. */
  app: App | undefined
  /** Why they are not known. */
  error: Error | null
}

const CurrentAppContext = createContext<CurrentApp>({ apps: undefined, app: undefined, error: null })

/** The apps of the person, for the navigation and everything that offers them. */
export function CurrentAppProvider({ children }: { children: ReactNode }) {
  const cairn = useCairn()
  const { appId } = useParams({ strict: false })
  const { data: apps, error } = useQuery({
    queryKey: ['apps'],
    queryFn: ({ signal }) => cairn.apps.list({}, { signal }).all(),
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
