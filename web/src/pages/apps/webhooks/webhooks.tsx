import type { Webhook } from '@cairn/sdk'
import { IconWebhook } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { MakeButton } from '../../../components/layout/make-button.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import classes from '../app-page.module.css'
import { AppPage } from '../app-page.tsx'
import { AddWebhook } from './add-webhook.tsx'
import { Deliveries } from './deliveries.tsx'
import { WebhookList } from './webhook-list.tsx'
import { WebhookPanel } from './webhook-panel.tsx'
import { useWebhooks } from './webhooks-panel.tsx'

const texts = messages.app.hooks
const route = getRouteApi('/shell/apps/$appId/webhooks')

/** The app's webhooks, and the deliveries of the selected one. */
export function Webhooks() {
  const { appId } = route.useParams()
  return (
    <AppPage appId={appId} tab="webhooks">
      {() => <WebhooksTab appId={appId} />}
    </AppPage>
  )
}

function WebhooksTab({ appId }: { appId: string }) {
  const { hook: hookId, add } = route.useSearch()
  const navigate = route.useNavigate()
  const hooks = useWebhooks(appId)
  const make = (
    <MakeButton isSmall onClick={() => void navigate({ search: (was) => ({ ...was, add: true as const }) })}>
      {texts.addOne}
    </MakeButton>
  )
  const choose = (id: string | undefined) => void navigate({ search: id ? { hook: id } : {} })
  return (
    <>
      <QueryResult query={hooks}>
        {(found) => (
          <div className={classes.tiles}>
            <Panel flush={found.length > 0} title={texts.title} actions={make}>
              {found.length === 0 ? (
                <EmptyState icon={IconWebhook} title={texts.empty} action={make}>
                  {texts.emptyText}
                </EmptyState>
              ) : (
                <WebhookList hooks={found} chosen={hookId} onChoose={choose} />
              )}
            </Panel>
            <Chosen appId={appId} hook={found.find(({ id }) => id === hookId)} onDeleted={() => choose(undefined)} />
          </div>
        )}
      </QueryResult>
      <AddWebhook
        appId={appId}
        isOpen={add === true}
        onClose={(made) =>
          void navigate({ search: ({ add: _, ...was }) => ({ ...was, ...(made ? { hook: made.id } : {}) }) })
        }
      />
    </>
  )
}

function Chosen({ appId, hook, onDeleted }: { appId: string; hook: Webhook | undefined; onDeleted: () => void }) {
  if (!hook) return null
  return (
    <>
      <WebhookPanel key={hook.id} appId={appId} hook={hook} onDeleted={onDeleted} />
      <Deliveries appId={appId} hookId={hook.id} />
    </>
  )
}
