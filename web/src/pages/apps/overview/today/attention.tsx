import type { App, AppActivity } from '@cairn/sdk'
import { IconAlertTriangle, IconCircleCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatBytes, formatNumber } from '../../../../components/data/format.ts'
import { RelativeTime } from '../../../../components/data/relative-time.tsx'
import { messages } from '../../../../messages/index.ts'
import { useCairn } from '../../../../session/session.tsx'
import { hasRole } from '../../../../session/use-app.tsx'
import classes from './today.module.css'
import { cappedNumber } from './use-activity.ts'

const texts = messages.app.today.attention

/** What waits for a decision, fails or nears its limit, each with a link to where it is dealt with. */
export function Attention({ app, activity: { held, webhooks } }: { app: App; activity: AppActivity }) {
  const quotas = useNearQuotas(app.id)
  const params = { appId: app.id }
  const lines: ReactNode[] = [
    held.scores > 0 && (
      <Line key="scores" reason={<Oldest since={held.since} />}>
        <Link to="/apps/$appId/reviews" params={params}>
          {texts.scores(held.scores, cappedNumber(held.scores))}
        </Link>
      </Line>
    ),
    held.checkIns > 0 && (
      <Line key="check-ins" reason={held.scores === 0 && <Oldest since={held.since} />}>
        <Link to="/apps/$appId/reviews" params={params}>
          {texts.checkIns(held.checkIns, cappedNumber(held.checkIns))}
        </Link>
      </Line>
    ),
    webhooks.disabled > 0 && (
      <Line key="disabled" isFailing reason={texts.disabledText}>
        <WebhooksLink app={app}>{texts.disabled(webhooks.disabled)}</WebhooksLink>
      </Line>
    ),
    webhooks.failing > 0 && (
      <Line key="failing" isFailing reason={texts.failingText}>
        <WebhooksLink app={app}>{texts.failing(webhooks.failing)}</WebhooksLink>
      </Line>
    ),
    ...quotas.map(({ name, used, most, setting }) => {
      const written = name === 'storageBytes' ? formatBytes : formatNumber
      return (
        <Line key={name} reason={texts.quotaText(setting)}>
          <span className="strong">{texts.quota(texts.quotas[name] ?? name, written(used), written(most!))}</span>
        </Line>
      )
    }),
  ].filter(Boolean)
  if (lines.length === 0)
    return (
      <p className={classes.calm}>
        <IconCircleCheck size={16} aria-hidden /> {texts.none}
      </p>
    )
  return (
    <ul className={classes.attention} aria-label={texts.title}>
      {lines}
    </ul>
  )
}

function useNearQuotas(appId: string) {
  const cairn = useCairn()
  const { data } = useQuery({
    queryKey: ['app', appId, 'overview'],
    queryFn: ({ signal }) => cairn.apps.overview(appId, { signal }),
  })
  return (data?.quotas ?? []).filter(({ isNearlyUsed }) => isNearlyUsed)
}

/** Webhooks are for admins of the app; others read how many there are. */
const WebhooksLink = ({ app, children }: { app: App; children: string }) =>
  hasRole(app, 'admin') ? (
    <Link to="/apps/$appId/webhooks" params={{ appId: app.id }}>
      {children}
    </Link>
  ) : (
    <span className="strong">{children}</span>
  )

const Oldest = ({ since }: { since: string | null }) => (
  <>
    {texts.oldest} <RelativeTime at={since} />
  </>
)

function Line({ isFailing, reason, children }: { isFailing?: boolean; reason: ReactNode; children: ReactNode }) {
  const Icon = isFailing ? IconX : IconAlertTriangle
  return (
    <li className={isFailing ? classes.failing : undefined}>
      <Icon size={16} aria-hidden />
      {children}
      {reason && <span className={classes.reason}>{reason}</span>}
    </li>
  )
}
