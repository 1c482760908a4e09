import { ActionIcon, Button, Select, TextInput } from '@mantine/core'
import { IconCheck, IconChevronLeft, IconChevronRight, IconSearch, IconX } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { memo, useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { formatNumber } from '../../../components/data/format.ts'
import { TableFoot } from '../../../components/data/table.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Skeleton } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { useSignedIn } from '../../../session/session.tsx'
import mapClasses from '../map.module.css'
import { SELECTION_ID } from '../selection/selection-panel.tsx'
import { keyOf } from '../url-state.ts'
import type { MapData } from '../use-map-data.ts'
import type { UrlState } from '../use-url-state.ts'
import type { Viewport } from '../use-viewport.ts'
import { PointTable } from './point-table.tsx'
import { filtered, kindOf, type Point, sorted } from './points.ts'
import { SelectionBar } from './selection-bar.tsx'
import classes from './table.module.css'
import { parseTableSearch, type TableSearch } from './table-search.ts'
import { usePointSelection } from './use-point-selection.ts'
import { MOST_POINTS, usePoints } from './use-points.ts'

const texts = messages.map.table
const ROWS = 50
const NONE: Point[] = []

type Props = {
  urlState: UrlState
  view: Viewport | null
  zones: MapData['zones']['data']
  onOpen: (point: Point) => void
}

/** The points within the radius or in view as a table that can be searched, filtered and sorted. The address holds its state. */
export const TablePanel = memo(({ urlState, view, zones, onOpen }: Props) => {
  const search = useSearch({ strict: false, select: parseTableSearch, structuralSharing: true })
  const { find = '', kind, owner, sort = 'distance' } = search
  const { userId } = useSignedIn()
  const { points, isPart, loaded, query } = usePoints(urlState, view, zones)
  // The controls answer first: rows take longer to draw.
  const asked = useDeferredValue(search)
  const listed = useMemo(() => {
    const ownerId = asked.owner === 'me' ? userId : undefined
    const found = filtered(points ?? NONE, { find: asked.find ?? '', kind: asked.kind, ownerId })
    return sorted(found, asked.sort ?? 'distance')
  }, [points, asked.find, asked.kind, asked.owner, asked.sort, userId])
  const selection = usePointSelection(listed)
  const hasAccuracy = useMemo(() => points?.some(({ accuracy }) => accuracy !== null) ?? false, [points])
  const kinds = useMemo(() => kindsOf(points ?? NONE), [points])
  // Another filter begins at the first page again.
  const change = (next: TableSearch) => urlState.change({ page: undefined, ...next })
  const opener = useScrollToSelection(urlState.selection && keyOf(urlState.selection))
  const open = useCallback(
    (point: Point) => {
      opener.current = keyOf(point)
      onOpen(point)
    },
    [opener, onOpen],
  )
  const pages = Math.max(1, Math.ceil(listed.length / ROWS))
  const page = Math.min(search.page ?? 1, pages)
  const first = (Math.min(asked.page ?? 1, pages) - 1) * ROWS
  const shown = listed.slice(first, first + ROWS)
  const total = points?.length ?? 0
  const turn = (to: number, label: string, Icon: typeof IconX) => (
    <ActionIcon
      size={28}
      aria-label={label}
      disabled={to < 1 || to > pages}
      onClick={() => urlState.change({ page: to === 1 ? undefined : to })}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  )
  return (
    <section className={classes.panel} aria-label={texts.title}>
      <div className={classes.head}>
        <div className={`row ${classes.name}`}>
          <h2>{texts.title}</h2>
          <span className="faint" role="status">
            {points === undefined
              ? loaded > 0 && texts.loaded(formatNumber(loaded))
              : listed.length === total
                ? formatNumber(total)
                : texts.some(formatNumber(listed.length), formatNumber(total))}
          </span>
        </div>
        <TextInput
          className={classes.find}
          aria-label={texts.find}
          placeholder={texts.find}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={find}
          onChange={({ currentTarget: { value } }) => change({ find: value || undefined })}
        />
        <Select
          className={classes.kind}
          aria-label={texts.kinds}
          placeholder={texts.allKinds}
          data={kinds}
          value={kind ?? null}
          clearable
          onChange={(value) => change({ kind: value ?? undefined })}
        />
        <button
          type="button"
          className={mapClasses.chip}
          aria-pressed={owner === 'me'}
          onClick={() => change({ owner: owner === 'me' ? undefined : 'me' })}
        >
          {owner === 'me' && <IconCheck size={14} aria-hidden />}
          {texts.mine}
        </button>
        <ActionIcon
          className={classes.close}
          size={28}
          aria-label={texts.hide}
          onClick={() => urlState.change({ table: undefined })}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </div>
      <SelectionBar listed={listed} selection={selection} zones={zones ?? []} />
      {isPart && <p className={`faint small ${classes.part}`}>{texts.part(formatNumber(MOST_POINTS))}</p>}
      <div className={classes.rows}>
        {query.error && !points ? (
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        ) : !points ? (
          <Skeleton rows={6} />
        ) : listed.length === 0 ? (
          <div className={classes.none}>
            <p className="faint">{total === 0 ? texts.empty : texts.noneFound}</p>
            {total > 0 && (
              <Button size="xs" onClick={() => change({ find: undefined, kind: undefined, owner: undefined })}>
                {messages.common.clear}
              </Button>
            )}
          </div>
        ) : (
          <PointTable
            points={shown}
            sort={sort}
            hasAccuracy={hasAccuracy}
            onSort={(next) => change({ sort: next === 'distance' ? undefined : next })}
            selection={selection}
            open={urlState.selection && keyOf(urlState.selection)}
            onOpen={open}
          />
        )}
      </div>
      {pages > 1 && (
        <TableFoot>
          <span className="faint grow">
            {texts.range(formatNumber(first + 1), formatNumber(first + shown.length), formatNumber(listed.length))}
          </span>
          {turn(page - 1, texts.before, IconChevronLeft)}
          {turn(page + 1, texts.next, IconChevronRight)}
        </TableFoot>
      )}
    </section>
  )
})

/** On phones, where the selection is above the table, scrolls to it. @returns takes the key of a point that is opened in the table */
function useScrollToSelection(selected: string | null) {
  const opened = useRef<string>(null)
  useEffect(() => {
    if (selected === null || selected !== opened.current) return
    opened.current = null
    const panel = document.getElementById(SELECTION_ID)
    if (matchMedia('(max-width: 47.5em)').matches) panel?.scrollIntoView({ block: 'start' })
  }, [selected])
  return opened
}

/** The kinds of the points, by name. */
function kindsOf(points: Point[]) {
  const names = new Map(points.map((point) => [point.content ?? 'gcp', kindOf(point)]))
  return [...names].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label))
}
