import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { formatMetres, formatNumber } from '../../../components/data/format.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Skeleton } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import type { ListedSpot } from '../layers/spots.ts'
import { keyOf, type Selection } from '../url-state.ts'
import type { MapData } from '../use-map-data.ts'
import classes from './list.module.css'
import { SpotIcon } from './spot-icon.tsx'

const texts = messages.map.list

type Props = {
  found: MapData['found']
  /** Nearest first; undefined while it is not known. */
  spots: ListedSpot[] | undefined
  /** What the distances are from: the middle of the map, or within so many metres of a point. */
  within: string | null
  /** `gcp:7` of those whose tag is used twice. */
  bad: ReadonlySet<string>
  selection: Selection | null
  onSelect: (selection: Selection) => void
}

/** The places near the point, or in view, nearest first: what the map shows, for everybody. */
export function PlaceList({ found, spots, within, bad, selection, onSelect }: Props) {
  const selected = selection ? keyOf(selection) : null
  const list = useRef<HTMLOListElement>(null)
  // Selected on the map, it comes into view here.
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
        {spots.map((spot) => {
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
                  <span className="faint">{kindOf(spot)}</span>
                )}
                <span className={`num ${classes.distance}`}>{formatMetres(spot.distance)}</span>
              </button>
            </li>
          )
        })}
      </ol>
      {found.hasMore && (
        <Button size="xs" m={12} onClick={found.loadMore} loading={found.isLoadingMore}>
          {messages.states.loadMore}
        </Button>
      )}
    </section>
  )
}

const kindOf = ({ kind, content }: ListedSpot): string =>
  kind === 'gcp' ? texts.gcp : kind === 'scan' ? texts.scan : (messages.map.contents[content ?? ''] ?? content ?? '')
