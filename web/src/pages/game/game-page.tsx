import type { App, Cairn } from '@cairn/sdk'
import type { ReactNode } from 'react'
import { Failure, NotAllowed } from '../../components/feedback/failure.tsx'
import { PageBody } from '../../components/layout/page-header.tsx'
import { Skeleton } from '../../components/query/query-result.tsx'
import { messages } from '../../messages/index.ts'
import { useApp, useAppCairn } from '../../session/use-app.tsx'

/** A page about what an app's key reaches: the app is loaded, and `cairn` calls as the app. For its owner; others read why not. */
export function GamePage({
  appId,
  children,
}: {
  appId: string
  children: (parts: { app: App; cairn: Cairn }) => ReactNode
}) {
  const { data: app, error, refetch } = useApp(appId)
  const cairn = useAppCairn(app)
  // What is there stays while it cannot be read anew.
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
        <NotAllowed>{messages.states.notYourKey}</NotAllowed>
      </PageBody>
    )
  // Nothing of one app's page is kept for the next.
  return <PageBody key={app.id}>{children({ app, cairn })}</PageBody>
}

/** What leads to a page of the app. */
export const breadcrumbsOf = (app: App, ...more: { name: string; to?: string }[]) => [
  { name: app.name, to: `/apps/${app.id}` },
  ...more,
]
