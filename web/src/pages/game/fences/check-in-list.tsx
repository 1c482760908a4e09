import type { App, Cairn, CheckIn, Fence } from '@cairn/sdk'
import { Button, SegmentedControl } from '@mantine/core'
import { IconMapPinCheck } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Badge } from '../../../components/data/badge.tsx'
import { formatNumber } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { notifyError } from '../../../components/feedback/notify.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../../components/query/paged-list.tsx'
import { messages } from '../../../messages/index.ts'
import { hasRole } from '../../../session/use-app.tsx'

const texts = messages.game.fences.checkInList
const STATES = Object.entries(texts.states).map(([value, label]) => ({ value, label }))
const TONES = { accepted: 'ok', held: 'warn', rejected: 'err' } as const
type Props = { app: App; cairn: Cairn; fences: Fence[] }

/** Check-ins, newest first. Held ones are accepted or rejected here. */
export function CheckInList({ app, cairn, fences }: Props) {
  const [state, setState] = useState('all')
  const list = usePagedList(
    ['check-ins', app.id, state],
    () => cairn.fences.checkIns({ limit: 50, ...(state === 'all' ? {} : { state: state as CheckIn['state'] }) }),
    { refetchInterval: 15_000, keepPrevious: true },
  )
  return (
    <Panel
      flush
      title={texts.title}
      actions={<SegmentedControl aria-label={texts.state} data={STATES} value={state} onChange={setState} />}
    >
      <PagedListView
        list={list}
        rows={3}
        empty={
          <EmptyState icon={IconMapPinCheck} title={state === 'all' ? texts.none : texts.noneSo}>
            {state === 'all' && texts.noneText}
          </EmptyState>
        }
      >
        {(items) => (
          <Table label={texts.title}>
            <thead>
              <tr>
                <th>{texts.player}</th>
                <th className="wide-only">{texts.fence}</th>
                <th>{texts.state}</th>
                <th className="num wide-only">{texts.points}</th>
                <th className="wide-only">{texts.at}</th>
                <th>
                  <span className="visually-hidden">{texts.decision}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((checkIn) => (
                <Row key={checkIn.id} app={app} cairn={cairn} fences={fences} checkIn={checkIn} />
              ))}
            </tbody>
          </Table>
        )}
      </PagedListView>
    </Panel>
  )
}

function Row({ app, cairn, fences, checkIn }: Props & { checkIn: CheckIn }) {
  const { id, playerId, fenceId, state, reason, proof, awards, createdAt } = checkIn
  const queries = useQueryClient()
  const { data: player } = useQuery({
    queryKey: ['player', playerId, 'name'],
    queryFn: ({ signal }) => cairn.players.get(playerId, { signal }),
    staleTime: 60_000,
  })
  const review = useMutation({
    mutationFn: (decision: 'accept' | 'reject') => cairn.fences.review(id, { decision }),
    onError: (error) => notifyError(error),
    onSettled: () =>
      Promise.all(['check-ins', 'reviews'].map((list) => queries.invalidateQueries({ queryKey: [list, app.id] }))),
  })
  const name = player?.displayName ?? `${playerId.slice(0, 8)}…`
  const fenceName = fences.find((fence) => fence.id === fenceId)?.name ?? '–'
  const points = awards.reduce((sum, award) => sum + award.points, 0)
  return (
    <tr>
      <td>
        <Link data-row to="/apps/$appId/players/$playerId" params={{ appId: app.id, playerId }}>
          {name}
        </Link>
        <div className="narrow-only small dim">{fenceName}</div>
      </td>
      <td className="wide-only">{fenceName}</td>
      <td>
        <Badge tone={TONES[state]}>{texts.states[state]}</Badge>
        {reason && <div className="small dim">{texts.reasons[reason]}</div>}
        {proof && <div className="small dim">{texts.proof(formatNumber(proof.accuracy))}</div>}
      </td>
      <td className="num wide-only">{points === 0 ? '–' : formatNumber(points)}</td>
      <td className="wide-only dim">
        <RelativeTime at={createdAt} />
      </td>
      <td>
        {state === 'held' && hasRole(app, 'moderator') && (
          <span className="row wrap" style={{ justifyContent: 'flex-end' }}>
            <Button
              size="xs"
              aria-label={texts.acceptOf(name)}
              disabled={review.isPending}
              onClick={() => review.mutate('accept')}
            >
              {texts.accept}
            </Button>
            <Button
              size="xs"
              aria-label={texts.rejectOf(name)}
              disabled={review.isPending}
              onClick={() => review.mutate('reject')}
            >
              {texts.reject}
            </Button>
          </span>
        )}
      </td>
    </tr>
  )
}
