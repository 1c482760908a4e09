import { Navigate } from '@tanstack/react-router'
import { Bars } from '../parts/loaded.tsx'
import { PageBody } from '../parts/page-head.tsx'
import { useRoles } from '../session/session.tsx'
import { useCurrentApp } from '../shell/current-app.tsx'

/** The start: the overview of the current app; of somebody who has none, the guide. */
export function Home() {
  const { apps, app } = useCurrentApp()
  const { isOps } = useRoles()
  if (app) return <Navigate to="/apps/$appId" params={{ appId: app.id }} replace />
  if (apps) return <Navigate to="/welcome/$step" params={{ step: isOps ? 'box' : 'app' }} replace />
  return (
    <PageBody>
      <Bars rows={4} />
    </PageBody>
  )
}
