import { CairnError } from '@cairn/sdk'
import { QueryClient } from '@tanstack/react-query'

/** What was asked of the service and is kept for the pages. The SDK sends again what failed on the way: here nothing is tried a second time. */
export const createQueries = () =>
  new QueryClient({
    defaultOptions: {
      mutations: { networkMode: 'always' },
      queries: {
        retry: false,
        staleTime: 5_000,
        // Asking again changes nothing for what is wrong, not allowed or not there.
        refetchOnWindowFocus: ({ state: { error } }) =>
          !(error instanceof CairnError && [400, 403, 404].includes(error.status)),
        // A box on this machine or in the house answers without the internet too.
        networkMode: 'always',
      },
    },
  })
