import type { Player } from '@cairn/sdk'
import { IconBan, IconEyeOff } from '@tabler/icons-react'
import { Badge } from '../../../components/data/badge.tsx'
import { messages } from '../../../messages/index.ts'

const texts = messages.game.standing

/** The standing of a hidden or banned player. Nothing for others. */
export function StandingBadge({ player: { standing } }: { player: Pick<Player, 'standing'> }) {
  if (standing === 'banned')
    return (
      <Badge tone="err" icon={IconBan}>
        {texts.states.banned}
      </Badge>
    )
  if (standing === 'hidden')
    return (
      <Badge tone="warn" icon={IconEyeOff}>
        {texts.states.hidden}
      </Badge>
    )
  return null
}
