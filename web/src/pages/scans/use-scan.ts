import { CairnError, type Scan } from '@cairn/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useCairn } from '../../session/session.tsx'
import { useAppCairn } from '../../session/use-app.tsx'
import { useCurrentApp } from '../../shell/current-app.tsx'
import { isProcessing } from './scan-badges.tsx'

/** Number of public scans to search for another user's scan. */
const AT_MOST = 500

/** `isOwn`: the user may change it. */
export type KnownScan = { scan: Scan; isOwn: boolean }

/** One scan, followed until it is processed: the user's own or a public one. */
export function useScan(id: string) {
  const cairn = useCairn()
  const appCairn = useAppCairn(useCurrentApp().app)
  const queries = useQueryClient()
  const query = useQuery({
    queryKey: ['scan', id, appCairn !== undefined],
    queryFn: async ({ signal }): Promise<KnownScan> => {
      try {
        return { scan: await cairn.scans.get(id, { signal }), isOwn: true }
      } catch (error) {
        if (!(error instanceof CairnError && error.status === 404) || !appCairn) throw error
        const all = await appCairn.scans.listPublic({ limit: 100 }, { signal }).all({ atMost: AT_MOST })
        const scan = all.find((one) => one.id === id)
        if (!scan) throw error
        return { scan, isOwn: false }
      }
    },
  })

  const isLive = query.data?.isOwn === true && isProcessing(query.data.scan)
  useEffect(() => {
    if (!isLive) return
    const left = new AbortController()
    const watch = async () => {
      for await (const scan of cairn.scans.follow(id, { signal: left.signal }))
        queries.setQueriesData<KnownScan>({ queryKey: ['scan', id] }, { scan, isOwn: true })
    }
    // If the stream fails, the next refetch shows the result.
    watch().catch(() => {})
    return () => left.abort()
  }, [isLive, cairn, id, queries])

  return query
}
