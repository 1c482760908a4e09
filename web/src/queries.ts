import { CairnError } from '@cairn/sdk'
import { QueryClient } from '@tanstack/react-query'

/** What was asked of the service and is kept for the pages. The SDK sends again what failed on the way: here nothing is tried a second time. */
export const createQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 5_000,
        // What a dialog over the page will mend is not to be thrown away meanwhile.
        throwOnError: false,
        refetchOnWindowFocus: (query) => !(query.state.error instanceof CairnError && query.state.error.status < 500),
      },
    },
  })
