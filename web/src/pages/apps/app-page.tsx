import type { App } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconBook, IconPencil } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useCallback } from 'react'
import { Badge, badgeIcons } from '../../components/data/badge.tsx'
import { Failure, NotAllowed } from '../../components/feedback/failure.tsx'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { Skeleton } from '../../components/query/query-result.tsx'
import { messages } from '../../messages/index.ts'
import { hasRole } from '../../session/use-app.tsx'
import classes from './app-page.module.css'
import { useVisibleApp } from './use-visible-app.ts'

const texts = messages.app
const TABS = [
  { to: '/apps/$appId', name: 'overview', needs: null },
  { to: '/apps/$appId/config', name: 'config', needs: 'viewer' },
  { to: '/apps/$appId/webhooks', name: 'webhooks', needs: 'admin' },
  { to: '/apps/$appId/usage', name: 'usage', needs: null },
  { to: '/apps/$appId/members', name: 'members', needs: 'viewer' },
  { to: '/apps/$appId/settings', name: 'settings', needs: 'developer' },
] as const
const mayOpen = (app: App, { needs }: (typeof TABS)[number]) => needs === null || hasRole(app, needs)
type Tab = (typeof TABS)[number]['name']

/** The layout of an app's pages: header, tabs and content. */
export function AppPage({ appId, tab, children }: { appId: string; tab: Tab; children: (app: App) => ReactNode }) {
  const { data: app, error, refetch } = useVisibleApp(appId)
  // On phones, the tabs may be wider than the screen.
  const showCurrent = useCallback((nav: HTMLElement | null) => {
    const current = nav?.querySelector('[aria-current="page"]')
    if (!nav || !current) return
    nav.scrollLeft += Math.max(0, current.getBoundingClientRect().right - nav.getBoundingClientRect().right)
  }, [])
  if (!app)
    return (
      <PageBody>{error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton rows={5} />}</PageBody>
    )
  return (
    <PageBody>
      <Head app={app} tab={tab} />
      <nav className={classes.tabs} aria-label={texts.tabs.label} ref={showCurrent}>
        {TABS.filter((one) => mayOpen(app, one)).map(({ to, name }) => (
          <Link key={name} to={to} params={{ appId }} activeOptions={{ exact: true, includeSearch: false }}>
            {texts.tabs[name]}
          </Link>
        ))}
      </nav>
      {TABS.some((one) => one.name === tab && mayOpen(app, one)) ? (
        children(app)
      ) : (
        <NotAllowed>{texts.needsRole}</NotAllowed>
      )}
    </PageBody>
  )
}

function Head({ app, tab }: { app: App; tab: Tab }) {
  const navigate = useNavigate()
  const isPublic = app.visibility === 'PUBLIC'
  return (
    <PageHeader
      title={app.name}
      {...(tab === 'overview' ? {} : { part: { name: texts.tabs[tab], of: `/apps/${app.id}` } })}
      breadcrumbs={[{ name: texts.crumb, to: '/apps' }]}
      beside={<Badge icon={isPublic ? badgeIcons.world : badgeIcons.lock}>{texts.visibility[app.visibility]}</Badge>}
      sub={app.description}
      actions={
        tab === 'overview' &&
        hasRole(app, 'developer') && (
          <>
            <Button component="a" href="/docs/" leftSection={<IconBook size={16} aria-hidden />}>
              {texts.docs}
            </Button>
            <Button
              leftSection={<IconPencil size={16} aria-hidden />}
              onClick={() => void navigate({ to: '/apps/$appId/settings', params: { appId: app.id } })}
            >
              {texts.edit}
            </Button>
          </>
        )
      }
    />
  )
}
