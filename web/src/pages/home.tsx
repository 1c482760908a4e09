import { Navigate } from '@tanstack/react-router'
import { Failure } from '../parts/failure.tsx'
import { Bars } from '../parts/loaded.tsx'
import { PageBody } from '../parts/page-head.tsx'
import { useRoles } from '../session/session.tsx'
import { useCurrentApp } from '../shell/current-app.tsx'

/** The start: the overview of the current app; of somebody who has none, the guide. */
export function Home() {
  const { apps, app, error } = useCurrentApp()
  const { isOps } = useRoles()
  if (app) return <Navigate to="/apps/$appId" params={{ appId: app.id }} replace />
  if (apps) return <Navigate to="/welcome/$step" params={{ step: isOps ? 'box' : 'app' }} replace />
  return <PageBody>{error ? <Failure error={error} /> : <Bars rows={4} />}</PageBody>
}
