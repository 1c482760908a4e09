import { Navigate } from '@tanstack/react-router'
import { Failure } from '../components/feedback/failure.tsx'
import { PageBody } from '../components/layout/page-header.tsx'
import { Skeleton } from '../components/query/query-result.tsx'
import { useRoles } from '../session/session.tsx'
import { useCurrentApp } from '../shell/current-app.tsx'

/** Redirects to the overview of the current app, or to the guide if there is none. */
export function Home() {
  const { apps, app, error } = useCurrentApp()
  const { isOps } = useRoles()
  if (app) return <Navigate to="/apps/$appId" params={{ appId: app.id }} replace />
  if (apps) return <Navigate to="/welcome/$step" params={{ step: isOps ? 'box' : 'app' }} replace />
  return <PageBody>{error ? <Failure error={error} /> : <Skeleton rows={4} />}</PageBody>
}
