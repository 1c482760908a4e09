import type { App } from '@cairn/sdk'
import { getRouteApi } from '@tanstack/react-router'
import { hasRole } from '../../../session/use-app.tsx'
import classes from '../app-page.module.css'
import { AppPage } from '../app-page.tsx'
import { CallsPanel } from '../usage/calls-panel.tsx'
import { RefusalsPanel } from '../usage/refusals-panel.tsx'
import { useUsage } from '../usage/use-usage.ts'
import { WebhooksPanel } from '../webhooks/webhooks-panel.tsx'
import { AdditionalKeysPanel } from './additional-keys-panel.tsx'
import { KeyPanel } from './key-panel.tsx'
import { SummaryPanel } from './summary-panel.tsx'
import { Today } from './today/today.tsx'

const route = getRouteApi('/shell/apps/$appId')

/** The home of an app: what happens today; key, calls, failures and webhooks. */
export function Overview() {
  const { appId } = route.useParams()
  return (
    <AppPage appId={appId} tab="overview">
      {(app) => (
        <>
          <Today app={app} />
          <Panels app={app} />
        </>
      )}
    </AppPage>
  )
}

function Panels({ app }: { app: App }) {
  const { days = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const usage = useUsage(app.id, days)
  const isAdmin = hasRole(app, 'admin')
  return (
    <div className="columns">
      <div className={classes.tiles}>
        {isAdmin && <KeyPanel app={app} />}
        {isAdmin && <AdditionalKeysPanel appId={app.id} />}
        <CallsPanel
          usage={usage}
          days={days}
          choices={[1, 7, 30]}
          onDays={(next) => void navigate({ search: next === 1 ? {} : { days: next }, replace: true })}
        />
        <RefusalsPanel appId={app.id} usage={usage} atMost={5} />
      </div>
      <div className={classes.tiles}>
        <SummaryPanel app={app} usage={usage.data} />
        {isAdmin && <WebhooksPanel appId={app.id} />}
      </div>
    </div>
  )
}
