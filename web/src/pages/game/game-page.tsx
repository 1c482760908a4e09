import type { App, Cairn } from '@cairn/sdk'
import type { ReactNode } from 'react'
import { Failure, NotAllowed } from '../../components/feedback/failure.tsx'
import { PageBody } from '../../components/layout/page-header.tsx'
import { Skeleton } from '../../components/query/query-result.tsx'
import { messages } from '../../messages/index.ts'
import { useApp, useAppCairn } from '../../session/use-app.tsx'

/** A page for members of an app. `cairn` acts in the app. Other users see why access is denied. */
export function GamePage({
  appId,
  children,
}: {
  appId: string
  children: (parts: { app: App; cairn: Cairn }) => ReactNode
}) {
  const { data: app, error, refetch } = useApp(appId)
  const cairn = useAppCairn(app)
  // Loaded data stays visible when a refetch fails.
  if (error && !app)
    return (
      <PageBody>
        <Failure error={error} onRetry={() => void refetch()} />
      </PageBody>
    )
  if (!app)
    return (
      <PageBody>
        <Skeleton rows={5} />
      </PageBody>
    )
  if (!cairn)
    return (
      <PageBody>
        <NotAllowed>{messages.common.notMember}</NotAllowed>
      </PageBody>
    )
  // The key resets all state when the app changes.
  return <PageBody key={app.id}>{children({ app, cairn })}</PageBody>
}

/** Breadcrumbs below an app. */
export const breadcrumbsOf = (app: App, ...more: { name: string; to?: string }[]) => [
  { name: app.name, to: `/apps/${app.id}` },
  ...more,
]
