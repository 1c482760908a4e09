import type { Webhook } from '@cairn/sdk'
import { Badge } from '../../parts/badge.tsx'
import { When } from '../../parts/when.tsx'
import { words } from '../../words/index.ts'

const { states, stateTexts } = words.app.hooks

/** Whether a webhook sends, and whether it arrives. */
export function HookState({ hook: { enabled, disabledAt, failingSince } }: { hook: Webhook }) {
  if (!enabled)
    return disabledAt ? (
      <span className="row small dim">
        <Badge tone="err">{states.disabled}</Badge>
        <span>
          {stateTexts.disabled} <When at={disabledAt} />
        </span>
      </span>
    ) : (
      <span>
        <Badge>{states.off}</Badge>
      </span>
    )
  if (failingSince)
    return (
      <span className="row small dim">
        <Badge tone="warn">{states.retrying}</Badge>
        <span>
          {stateTexts.retrying} <When at={failingSince} />
        </span>
      </span>
    )
  return (
    <span>
      <Badge tone="ok">{states.on}</Badge>
    </span>
  )
}

/** An address without what all of them begin with. */
export const shortAddress = (url: string): string => url.replace(/^https?:\/\//, '')
