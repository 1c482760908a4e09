import { CairnError } from '@cairn/sdk'
import { QueryClient } from '@tanstack/react-query'

/** The query client. It never retries because the SDK does. */
export const createQueries = () =>
  new QueryClient({
    defaultOptions: {
      mutations: { networkMode: 'always' },
      queries: {
        retry: false,
        staleTime: 5_000,
        // Refetching does not help with these errors.
        refetchOnWindowFocus: ({ state: { error } }) =>
          !(error instanceof CairnError && [400, 403, 404].includes(error.status)),
        // A local service works without internet access.
        networkMode: 'always',
      },
    },
  })
