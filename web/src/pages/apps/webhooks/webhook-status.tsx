import type { Webhook } from '@cairn/sdk'
import { Badge } from '../../../components/data/badge.tsx'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { messages } from '../../../messages/index.ts'

const { states, stateTexts } = messages.app.hooks

/** Whether a webhook is enabled and delivers, or was disabled by the user or the service. */
export function WebhookStatus({ hook: { enabled, disabledAt, disabledReason, failingSince } }: { hook: Webhook }) {
  if (!enabled)
    return (
      <span className="row wrap small dim">
        {disabledReason ? <Badge tone="err">{states.disabled}</Badge> : <Badge>{states.off}</Badge>}
        {disabledAt && (
          <span>
            {stateTexts.disabled} <RelativeTime at={disabledAt} />
          </span>
        )}
      </span>
    )
  if (failingSince)
    return (
      <span className="row wrap small dim">
        <Badge tone="warn">{states.retrying}</Badge>
        <span>
          {stateTexts.retrying} <RelativeTime at={failingSince} />
        </span>
      </span>
    )
  return (
    <span>
      <Badge tone="ok">{states.on}</Badge>
    </span>
  )
}

/** A URL without its protocol. */
export const stripProtocol = (url: string): string => url.replace(/^https?:\/\//, '')
