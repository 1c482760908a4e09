import type { App, AppActivity } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { formatNumber } from '../../../../components/data/format.ts'
import { EmptyState } from '../../../../components/feedback/empty-state.tsx'
import { ApiCallButton } from '../../../../components/layout/api-call.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { QueryResult } from '../../../../components/query/query-result.tsx'
import { messages } from '../../../../messages/index.ts'
import { Attention } from './attention.tsx'
import { BusyBoards } from './busy-boards.tsx'
import { PlayerDays } from './player-days.tsx'
import classes from './today.module.css'
import { cappedNumber, comparisonOf, useActivity } from './use-activity.ts'
import { VisitedFences } from './visited-fences.tsx'

const texts = messages.app.today

/** What happens in an app today, and what needs attention. */
export function Today({ app }: { app: App }) {
  const activity = useActivity(app.id)
  return (
    <Panel
      title={texts.title}
      actions={<ApiCallButton path={`/api/v1/apps/${app.id}/activity`} auth="session" />}
      className={classes.today}
    >
      <QueryResult query={activity} rows={6}>
        {(found) => (
          <div className={classes.parts}>
            <Attention app={app} activity={found} />
            {isUnused(found) ? <Unused app={app} /> : <Figures app={app} activity={found} />}
          </div>
        )}
      </QueryResult>
    </Panel>
  )
}

const isUnused = ({ players, sessions, boards, fences }: AppActivity) =>
  players.days.every((day) => day.players === 0) &&
  sessions.running + sessions.paused + boards.length + fences.checkIns === 0

function Unused({ app }: { app: App }) {
  const navigate = useNavigate()
  return (
    <EmptyState
      title={texts.fresh}
      action={
        <Button
          onClick={() => void navigate({ to: '/welcome/$step', params: { step: 'call' }, search: { app: app.id } })}
        >
          {texts.firstCall}
        </Button>
      }
    >
      {texts.freshText}
    </EmptyState>
  )
}

function Figures({ app, activity }: { app: App; activity: AppActivity }) {
  const { players, sessions, boards, fences } = activity
  return (
    <>
      <dl className={classes.figures}>
        <Figure name={texts.players} value={formatNumber(players.today)} note={comparisonOf(activity)} />
        <Figure
          name={texts.running}
          value={formatNumber(sessions.running)}
          note={sessions.paused > 0 ? texts.paused(cappedNumber(sessions.paused)) : undefined}
        />
        <Figure name={texts.scores} value={formatNumber(boards.reduce((sum, { writes }) => sum + writes, 0))} />
        <Figure name={texts.checkIns} value={cappedNumber(fences.checkIns)} />
      </dl>
      <div className={classes.charts}>
        <PlayerDays activity={activity} />
        <BusyBoards appId={app.id} boards={boards} at={activity.at} />
        {fences.visited.length > 0 && <VisitedFences appId={app.id} visited={fences.visited} />}
      </div>
    </>
  )
}

function Figure({ name, value, note }: { name: string; value: string; note?: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className={classes.value}>{value}</span>
        {note && <span className={classes.note}>{note}</span>}
      </dd>
    </div>
  )
}
