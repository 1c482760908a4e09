import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { MakeButton } from '../../../components/layout/make-button.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import classes from '../app-page.module.css'
import { stripProtocol, WebhookStatus } from './webhook-status.tsx'

const texts = messages.app.hooks

/** The app's webhooks and their status. */
export function WebhooksPanel({ appId }: { appId: string }) {
  const hooks = useWebhooks(appId)
  const navigate = useNavigate()
  const params = { appId }
  const make = (
    <MakeButton isSmall onClick={() => void navigate({ to: '/apps/$appId/webhooks', params, search: { add: true } })}>
      {texts.addOne}
    </MakeButton>
  )
  return (
    <Panel flush title={texts.title} actions={make}>
      <QueryResult query={hooks}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState title={texts.empty} action={make}>
              {texts.emptyText}
            </EmptyState>
          ) : (
            <ul className={classes.hooks}>
              {found.map((hook) => (
                <li key={hook.id}>
                  <Link
                    className="truncate mono"
                    to="/apps/$appId/webhooks"
                    params={params}
                    search={{ hook: hook.id }}
                    title={hook.url}
                  >
                    {stripProtocol(hook.url)}
                  </Link>
                  <WebhookStatus hook={hook} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryResult>
    </Panel>
  )
}

/** All webhooks of an app. There are at most 20. */
export function useWebhooks(appId: string) {
  const cairn = useCairn()
  return useQuery({
    queryKey: ['hooks', appId],
    queryFn: ({ signal }) => cairn.webhooks.list(appId, {}, { signal }).all(),
    refetchInterval: 15_000,
  })
}
