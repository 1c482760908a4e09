import type { Page, Pages } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { words } from '../words/index.ts'
import { figure } from './figures.ts'
import { TableFoot } from './table.tsx'

type Growing<Item> = {
  /** Those shown so far; undefined until the first page is there. */
  items: Item[] | undefined
  /** How many there are in all, where the service counts. */
  total: number | null
  error: Error | null
  hasMore: boolean
  isLoadingMore: boolean
  more: () => void
  again: () => void
}

/** A list of the service that grows by its pages. @param key what it depends on, as for any query @param list asks for it @param options `every`: milliseconds after which it is asked for again */
export function useGrowing<Item>(
  key: QueryKey,
  list: () => Pages<Item>,
  { every, enabled = true }: { every?: number; enabled?: boolean } = {},
): Growing<Item> {
  // The pages are asked for one after the other, from the first one on: so is every refresh.
  const pages = useRef<AsyncGenerator<Page<Item>, void, undefined>>(null)
  const query = useInfiniteQuery({
    queryKey: [...key, 'growing'],
    initialPageParam: 0,
    queryFn: async ({ pageParam }) => {
      if (pageParam === 0 || !pages.current) pages.current = list().pages()
      const { value } = await pages.current.next()
      return value ?? { items: [], next: null, total: null }
    },
    getNextPageParam: ({ next }, all) => (next === null ? undefined : all.length),
    enabled,
    ...(every ? { refetchInterval: every } : {}),
  })
  return {
    items: query.data?.pages.flatMap(({ items }) => items),
    total: query.data?.pages[0]?.total ?? null,
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    more: () => void query.fetchNextPage(),
    again: () => void query.refetch(),
  }
}

/** Below such a list: how many of how many, and the way to more. Nothing where all are shown. */
export function GrowingFoot<Item>({ list }: { list: Growing<Item> }) {
  const { items, total, hasMore, isLoadingMore, more } = list
  if (!items || !hasMore) return null
  return (
    <TableFoot>
      <span className="faint">{total !== null && words.states.shown(figure(items.length), figure(total))}</span>
      <Button size="xs" onClick={more} loading={isLoadingMore}>
        {words.states.loadMore}
      </Button>
    </TableFoot>
  )
}
