import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { memo, useEffect, useRef } from 'react'
import { formatMetres, formatNumber } from '../../../components/data/format.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Skeleton } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import type { ListedSpot } from '../layers/spot.ts'
import { keyOf, type Selection } from '../url-state.ts'
import type { MapData } from '../use-map-data.ts'
import classes from './list.module.css'
import { SpotIcon } from './spot-icon.tsx'

const texts = messages.map.list

type Props = {
  found: MapData['found']
  /** Nearest first; undefined while loading. */
  spots: ListedSpot[] | undefined
  /** The radius if there is a search point; null for distances from the map centre. */
  within: string | null
  /** Keys (`gcp:7`) of control points with duplicate tags. */
  bad: ReadonlySet<string>
  selection: Selection | null
  onSelect: (selection: Selection) => void
}

/** The items within the radius or in view, nearest first. It makes the map accessible. */
export function PlaceList({ found, spots, within, bad, selection, onSelect }: Props) {
  const selected = selection ? keyOf(selection) : null
  const list = useRef<HTMLOListElement>(null)
  // An item selected on the map scrolls into view here.
  useEffect(() => {
    if (selected) list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  if (found.error && !spots) return <Failure error={found.error} onRetry={found.refetch} />
  if (!spots) return <Skeleton rows={6} />
  const count = found.hasMore ? texts.atLeast(formatNumber(spots.length)) : formatNumber(spots.length)
  return (
    <section className={classes.list} aria-label={texts.label}>
      <div className={`row ${classes.listHead}`}>
        <h3 className="grow">
          <span role="status">{within === null ? texts.inView(count) : texts.within(count, within)}</span>
        </h3>
        {spots.length > 0 && (
          <span className="faint small">{within === null ? texts.fromMiddle : texts.nearestFirst}</span>
        )}
      </div>
      {spots.length === 0 && (
        <p className={`faint ${classes.none}`}>{within === null ? texts.noneInView : texts.none}</p>
      )}
      <ol ref={list}>
        <PlaceRows spots={spots} bad={bad} selected={selected} onSelect={onSelect} />
      </ol>
      {found.hasMore && (
        <Button size="xs" m={12} onClick={found.loadMore} loading={found.isLoadingMore}>
          {messages.common.loadMore}
        </Button>
      )}
    </section>
  )
}

type RowsProps = Pick<Props, 'bad' | 'onSelect'> & { spots: ListedSpot[]; selected: string | null }

/** Drawn again only if one of its properties changes: there are hundreds of rows. */
const PlaceRows = memo(({ spots, bad, selected, onSelect }: RowsProps) =>
  spots.map((spot) => {
    const name = keyOf(spot)
    const isBad = bad.has(name)
    return (
      <li key={name}>
        <button
          type="button"
          data-row
          className={classes.row}
          aria-current={name === selected}
          onClick={() => onSelect(spot)}
        >
          <SpotIcon kind={spot.kind} tag={spot.tag} isBad={isBad} />
          <span className="grow truncate">{spot.title}</span>
          {isBad ? (
            <span className={classes.twice}>
              <IconAlertTriangle size={14} aria-hidden /> {texts.twice}
            </span>
          ) : (
            <span className={`faint ${classes.kind}`}>{kindOf(spot)}</span>
          )}
          <span className={`num ${classes.distance}`}>{formatMetres(spot.distance)}</span>
        </button>
      </li>
    )
  }),
)

const kindOf = ({ kind, content }: ListedSpot): string =>
  kind === 'gcp' ? texts.gcp : kind === 'scan' ? texts.scan : (messages.map.contents[content ?? ''] ?? content ?? '')
