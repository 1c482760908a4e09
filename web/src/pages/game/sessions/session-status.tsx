import type { GameSession } from '@cairn/sdk'
import { IconFlag, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { Badge } from '../../../components/data/badge.tsx'
import { messages } from '../../../messages/index.ts'

const states = messages.game.sessions.states

/** The status of a session: running, paused or ended. */
export function SessionStatus({ session: { status, paused } }: { session: GameSession }) {
  if (status === 'COMPLETED') return <Badge icon={IconFlag}>{states.COMPLETED}</Badge>
  if (paused)
    return (
      <Badge tone="warn" icon={IconPlayerPause}>
        {states.PAUSED}
      </Badge>
    )
  return (
    <Badge tone="ok" icon={IconPlayerPlay}>
      {states.ACTIVE}
    </Badge>
  )
}
