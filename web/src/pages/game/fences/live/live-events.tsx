import type { App, Cairn, FollowedFenceEvent } from '@cairn/sdk'
import { IconWalk } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Badge } from '../../../../components/data/badge.tsx'
import { RelativeTime } from '../../../../components/data/relative-time.tsx'
import { Table } from '../../../../components/data/table.tsx'
import { EmptyState } from '../../../../components/feedback/empty-state.tsx'
import { Failure } from '../../../../components/feedback/failure.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { messages } from '../../../../messages/index.ts'
import { Doubts } from './doubts.tsx'
import { useLiveEvents } from './use-live-events.ts'

const { live: texts, events: eventTexts } = messages.game.fences
type Props = { app: App; cairn: Cairn }

/** What players do at the fences, as it happens. */
export function LiveEvents({ app, cairn }: Props) {
  const { events, isConnected, error } = useLiveEvents(cairn)
  return (
    <Panel
      flush
      title={texts.title}
      beside={isConnected ? <Badge tone="ok">{texts.on}</Badge> : <Badge tone="warn">{texts.off}</Badge>}
    >
      {error && <Failure error={error} />}
      {!error && events.length === 0 && (
        <EmptyState icon={IconWalk} title={texts.none}>
          {texts.noneText}
        </EmptyState>
      )}
      {events.length > 0 && (
        <Table label={texts.title}>
          <thead>
            <tr>
              <th>{texts.player}</th>
              <th>{eventTexts.event}</th>
              <th>{eventTexts.fence}</th>
              <th className="wide-only">{texts.at}</th>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => (
              <Row
                key={`${event.playerId} ${event.fenceId} ${event.type} ${event.at}`}
                app={app}
                cairn={cairn}
                event={event}
              />
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  )
}

function Row({ app, cairn, event }: Props & { event: FollowedFenceEvent }) {
  const { playerId, type, name, at, doubts } = event
  const { data: player } = useQuery({
    queryKey: ['player', playerId, 'name'],
    queryFn: ({ signal }) => cairn.players.get(playerId, { signal }),
    staleTime: 60_000,
  })
  // The clocks of phones may be ahead.
  const [happenedAt] = useState(() => new Date(Math.min(Date.parse(at), Date.now())).toISOString())
  return (
    <tr>
      <td>
        <Link data-row to="/apps/$appId/players/$playerId" params={{ appId: app.id, playerId }}>
          {player?.displayName ?? `${playerId.slice(0, 8)}…`}
        </Link>
      </td>
      <td>
        {eventTexts.types[type]}
        <Doubts doubts={doubts} />
      </td>
      <td className="dim">{name}</td>
      <td className="wide-only dim">
        <RelativeTime at={happenedAt} />
      </td>
    </tr>
  )
}
