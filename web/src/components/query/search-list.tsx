import type { Pages } from '@cairn/sdk'
import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messages } from '../../messages/index.ts'
import { SEARCH_LIMIT } from '../data/format.ts'
import { Panel } from '../layout/panel.tsx'
import { PagedListView, usePagedList } from './paged-list.tsx'
import { useDebounced } from './use-debounced.ts'

type Props<Item> = {
  title: string
  /** The placeholder and accessible name of the search field. */
  searchLabel: string
  search: string
  onSearch: (search: string) => void
  queryKey: QueryKey
  /** Loads the list. `search` is trimmed and debounced; empty to load everything. */
  load: (search: string) => Pages<Item>
  /** Where the service stops counting. Searches stop at `SEARCH_LIMIT` by default. */
  countLimit?: (search: string) => number | undefined
  refetchInterval?: number
  /** Controls above the list. */
  filters?: ReactNode
  empty: (search: string) => ReactNode
  children: (items: Item[]) => ReactNode
}

/** A panel with a list that can be searched, filtered and paged. The caller keeps the search text, usually in the URL. */
export function SearchList<Item>({
  title,
  searchLabel,
  search,
  onSearch,
  queryKey,
  load,
  countLimit = (search) => (search ? SEARCH_LIMIT : undefined),
  refetchInterval,
  filters,
  empty,
  children,
}: Props<Item>) {
  const debounced = useDebounced(search.trim())
  const list = usePagedList([...queryKey, debounced], () => load(debounced), {
    keepPrevious: true,
    countLimit: countLimit(debounced),
    refetchInterval,
  })
  return (
    <Panel
      flush
      title={title}
      beside={list.count !== null && <span className="wide-only">{messages.common.total(list.count)}</span>}
      actions={
        <TextInput
          data-find
          w={240}
          maw="100%"
          aria-label={searchLabel}
          placeholder={searchLabel}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search}
          onChange={({ currentTarget: { value } }) => onSearch(value)}
        />
      }
    >
      {filters}
      <PagedListView list={list} empty={empty(debounced)}>
        {children}
      </PagedListView>
    </Panel>
  )
}
