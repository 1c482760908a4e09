import type { ApiKeyList } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useCairn } from '../../../session/session.tsx'

export type ApiKey = ApiKeyList['apiKeys'][number]

/** The working keys of an app, masked. */
export function useAppKeys(appId: string) {
  const cairn = useCairn()
  return useQuery({
    queryKey: ['app', appId, 'keys'],
    queryFn: async ({ signal }) => (await cairn.apps.apiKeys(appId, { signal })).apiKeys,
    refetchInterval: 15_000,
  })
}

/** Whether the key was added beside the app's own. */
export const isAdditional = ({ isCurrent, endsAt }: ApiKey): boolean => !isCurrent && endsAt === null
