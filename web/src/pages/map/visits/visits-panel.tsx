import { Button, Select } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatNumber } from '../../../components/data/format.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Skeleton } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { useCurrentApp } from '../../../shell/current-app.tsx'
import listClasses from '../list/list.module.css'
import { SpotIcon } from '../list/spot-icon.tsx'
import classes from '../map.module.css'
import { keyOf, type Selection } from '../url-state.ts'
import type { Visits } from './use-visits.ts'

const texts = messages.map.table.visits
const FEW = 5

/** The words for a number of visits. */
export const visitsLabel = (visits: number): string => texts.visits(visits, formatNumber(visits))

type Props = {
  appId: string
  onApp: (appId: string) => void
  visits: Visits
  selection: Selection | null
  onSelect: (selection: Selection) => void
}

/** The most visited fences of an app: what the heat on the map shows, as a list. */
export function VisitsPanel({ appId, onApp, visits, selection, onSelect }: Props) {
  const { apps = [] } = useCurrentApp()
  const [isLong, setIsLong] = useState(false)
  const { query, visited, total, fenceCount } = visits
  const shown = isLong ? visited : visited?.slice(0, FEW)
  const selected = selection && keyOf(selection)
  return (
    <section className={classes.visits} aria-label={texts.title}>
      <div className={`row ${classes.visitsHead}`}>
        <h3 className="grow">{texts.title}</h3>
        {total > 0 && <span className="faint small">{texts.total(total, formatNumber(total))}</span>}
      </div>
      {apps.length > 1 && (
        <Select
          className={classes.visitsApp}
          aria-label={texts.app}
          data={apps.map(({ id, name }) => ({ value: id, label: name }))}
          value={appId}
          allowDeselect={false}
          searchable
          onChange={(id) => id && onApp(id)}
        />
      )}
      {query.error && !visited ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !shown ? (
        <Skeleton rows={3} />
      ) : shown.length === 0 ? (
        <p className={`faint ${listClasses.none}`}>
          {texts.none}{' '}
          <Link to="/apps/$appId/fences" params={{ appId }}>
            {texts.fences}
          </Link>
        </p>
      ) : (
        <ol>
          {shown.map(({ fenceId, name, visits, players, selection: target, place }) => (
            <li key={fenceId}>
              <button
                type="button"
                className={listClasses.row}
                aria-current={keyOf(target) === selected}
                onClick={() => onSelect(target)}
              >
                <SpotIcon kind={target.kind} />
                <span className="grow truncate">{name}</span>
                {!place && <span className="faint">{texts.nowhere}</span>}
                <span className="faint">{texts.players(players, formatNumber(players))}</span>
                <span className={`num strong ${listClasses.distance}`}>{visitsLabel(visits)}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
      {isLong && visited && fenceCount > visited.length && (
        <p className={`faint small ${listClasses.none}`}>{texts.others(formatNumber(fenceCount - visited.length))}</p>
      )}
      {visited && visited.length > FEW && (
        <Button size="xs" variant="subtle" mx={10} onClick={() => setIsLong(!isLong)}>
          {isLong ? texts.fewer : texts.more(formatNumber(visited.length))}
        </Button>
      )}
    </section>
  )
}
