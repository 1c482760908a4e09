import type { Page, Pages } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useRef } from 'react'
import { messages } from '../../messages/index.ts'
import { formatNumber, formatTotal } from '../data/format.ts'
import { TableFoot } from '../data/table.tsx'
import { Failure } from '../feedback/failure.tsx'
import classes from './query-result.module.css'
import { Skeleton } from './query-result.tsx'

type PagedList<Item> = {
  /** The items of the loaded pages; undefined until the first page is loaded. */
  items: Item[] | undefined
  /** The formatted total; null if the service does not count. */
  count: string | null
  error: Error | null
  hasMore: boolean
  /** The items belong to the previous query key. */
  isPlaceholder: boolean
  isLoadingMore: boolean
  loadMore: () => void
  refetch: () => void
}

type Options = {
  /** Milliseconds between refetches. */
  refetchInterval?: number | undefined
  enabled?: boolean
  /** Keep the items of the previous key until the new ones are loaded. */
  keepPrevious?: boolean
  /** Where the service stops counting; undefined if it counts everything. */
  countLimit?: number | undefined
}

/** Loads a list of the service page by page. */
export function usePagedList<Item>(
  queryKey: QueryKey,
  load: () => Pick<Pages<Item>, 'pages'>,
  { refetchInterval, enabled = true, keepPrevious = false, countLimit }: Options = {},
): PagedList<Item> {
  // Each page leads to the next one. A request for any other page, for example after a failure, starts over.
  const iteration = useRef<{ key: string; next: number; pages: AsyncGenerator<Page<Item>, void, undefined> }>(null)
  const key = JSON.stringify(queryKey)
  const query = useInfiniteQuery({
    queryKey: [...queryKey, 'pages'],
    initialPageParam: 0,
    queryFn: async ({ pageParam }): Promise<Page<Item>> => {
      const isNext = iteration.current?.key === key && iteration.current.next === pageParam && pageParam > 0
      const { pages } = isNext ? iteration.current! : { pages: load().pages() }
      // The generator cannot be reused while it is loading, or after it failed.
      iteration.current = null
      for (let at = isNext ? pageParam : 0; at < pageParam; at++) await pages.next()
      const { value } = await pages.next()
      iteration.current = { key, next: pageParam + 1, pages }
      return value ?? { items: [], next: null, total: null }
    },
    getNextPageParam: ({ next }, all) => (next === null ? undefined : all.length),
    enabled,
    ...(refetchInterval ? { refetchInterval } : {}),
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
  })
  const { data } = query
  const total = data?.pages[0]?.total ?? null
  const items = useMemo(() => data?.pages.flatMap(({ items }) => items), [data])
  return {
    items,
    count: total === null ? null : formatTotal(total, countLimit),
    // Loaded items stay visible when a refetch fails.
    error: data ? null : query.error,
    hasMore: query.hasNextPage && !query.isPlaceholderData,
    isPlaceholder: query.isPlaceholderData,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    refetch: () => void query.refetch(),
  }
}

type Props<Item> = {
  list: PagedList<Item>
  /** Number of skeleton rows while loading. */
  rows?: number
  /** Shown when the list is empty. */
  empty: ReactNode
  children: (items: Item[]) => ReactNode
}

/** Renders a paged list: its error, its skeleton, its empty state, or its items and a button to load more. */
export function PagedListView<Item>({ list, rows = 6, empty, children }: Props<Item>) {
  const { items, error, refetch } = list
  if (error) return <Failure error={error} onRetry={refetch} />
  if (!items) return <Skeleton rows={rows} />
  if (items.length === 0) return empty
  return (
    <div className={list.isPlaceholder ? classes.old : undefined}>
      {children(items)}
      <LoadMore list={list} />
    </div>
  )
}

function LoadMore<Item>({ list }: { list: PagedList<Item> }) {
  const { items, count, hasMore, isLoadingMore, loadMore } = list
  if (!items || !hasMore) return null
  return (
    <TableFoot>
      <span className="faint">{count !== null && messages.common.shown(formatNumber(items.length), count)}</span>
      <Button size="xs" onClick={loadMore} loading={isLoadingMore}>
        {messages.common.loadMore}
      </Button>
    </TableFoot>
  )
}
