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
  /** Those shown so far; undefined until the first page is there. */
  items: Item[] | undefined
  /** How many there are in all, as it is shown; null where the service does not count. */
  count: string | null
  error: Error | null
  hasMore: boolean
  /** What is shown is of the search before: its own answer is awaited. */
  isPlaceholder: boolean
  isLoadingMore: boolean
  more: () => void
  again: () => void
}

/** A list of the service that grows by its pages. @param key what it depends on, as for any query @param list asks for it @param options `every`: milliseconds after which it is asked for again; `keepPrevious`: what the key before had stays until this one's answer is there, for a search as it is typed; `countLimit`: how far the service counts, where it does not count all */
export function usePagedList<Item>(
  key: QueryKey,
  list: () => Pages<Item>,
  {
    every,
    enabled = true,
    keepPrevious = false,
    countLimit,
  }: { every?: number; enabled?: boolean; keepPrevious?: boolean; countLimit?: number | undefined } = {},
): PagedList<Item> {
  // Pages are asked for one after the other: who asks for another than the next one, as after a failure, walks there anew.
  const walk = useRef<{ key: string; next: number; pages: AsyncGenerator<Page<Item>, void, undefined> }>(null)
  const name = JSON.stringify(key)
  const query = useInfiniteQuery({
    queryKey: [...key, 'growing'],
    initialPageParam: 0,
    queryFn: async ({ pageParam }): Promise<Page<Item>> => {
      const isNext = walk.current?.key === name && walk.current.next === pageParam && pageParam > 0
      const { pages } = isNext ? walk.current! : { pages: list().pages() }
      // Nobody goes on with this one while it is asked, nor after it failed.
      walk.current = null
      for (let at = isNext ? pageParam : 0; at < pageParam; at++) await pages.next()
      const { value } = await pages.next()
      walk.current = { key: name, next: pageParam + 1, pages }
      return value ?? { items: [], next: null, total: null }
    },
    getNextPageParam: ({ next }, all) => (next === null ? undefined : all.length),
    enabled,
    ...(every ? { refetchInterval: every } : {}),
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
  })
  const { data } = query
  const total = data?.pages[0]?.total ?? null
  const items = useMemo(() => data?.pages.flatMap(({ items }) => items), [data])
  return {
    items,
    count: total === null ? null : formatTotal(total, countLimit),
    // What is there stays while it cannot be asked for anew.
    error: data ? null : query.error,
    hasMore: query.hasNextPage && !query.isPlaceholderData,
    isPlaceholder: query.isPlaceholderData,
    isLoadingMore: query.isFetchingNextPage,
    more: () => void query.fetchNextPage(),
    again: () => void query.refetch(),
  }
}

/** What such a list shows: why it failed, bars while it is not there, what stands for none, or its items and the way to more. */
export function PagedListView<Item>({
  list,
  rows = 6,
  none,
  children,
}: {
  list: PagedList<Item>
  /** How many bars stand for what comes. */
  rows?: number
  none: ReactNode
  children: (items: Item[]) => ReactNode
}) {
  const { items, error, again } = list
  if (error) return <Failure error={error} onRetry={again} />
  if (!items) return <Skeleton rows={rows} />
  if (items.length === 0) return none
  return (
    <div className={list.isPlaceholder ? classes.old : undefined}>
      {children(items)}
      <LoadMore list={list} />
    </div>
  )
}

/** Below such a list: how many of how many, and the way to more. Nothing where all are shown. */
export function LoadMore<Item>({ list }: { list: PagedList<Item> }) {
  const { items, count, hasMore, isLoadingMore, more } = list
  if (!items || !hasMore) return null
  return (
    <TableFoot>
      <span className="faint">{count !== null && messages.states.shown(formatNumber(items.length), count)}</span>
      <Button size="xs" onClick={more} loading={isLoadingMore}>
        {messages.states.loadMore}
      </Button>
    </TableFoot>
  )
}
