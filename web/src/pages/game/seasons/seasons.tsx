import type { App, Cairn, Season } from '@cairn/sdk'
import { IconCalendarEvent } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { ApiCallButton } from '../../../components/layout/api-call.tsx'
import { MakeButton, NeedsRole } from '../../../components/layout/make-button.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../../components/query/paged-list.tsx'
import { messages } from '../../../messages/index.ts'
import { hasRole } from '../../../session/use-app.tsx'
import { breadcrumbsOf, GamePage } from '../game-page.tsx'
import { DeleteSeason } from './delete-season.tsx'
import { SeasonForm } from './season-form.tsx'
import { SeasonTable } from './season-table.tsx'

const texts = messages.game.seasons
export type OpenSeason = { what: 'form'; season?: Season } | { what: 'delete'; season: Season } | null

/** The seasons of an app. */
export function Seasons() {
  const { appId } = useParams({ from: '/shell/apps/$appId/seasons' })
  return <GamePage appId={appId}>{(parts) => <Page {...parts} />}</GamePage>
}

function Page({ app, cairn }: { app: App; cairn: Cairn }) {
  const [open, setOpen] = useState<OpenSeason>(null)
  const close = () => setOpen(null)
  const list = usePagedList(['seasons', app.id], () => cairn.seasons.list({ limit: 50 }), { refetchInterval: 60_000 })
  const make = hasRole(app, 'developer') && (
    <MakeButton onClick={() => setOpen({ what: 'form' })}>{texts.new}</MakeButton>
  )
  return (
    <>
      <PageHeader
        title={texts.title}
        sub={texts.sub}
        breadcrumbs={breadcrumbsOf(app)}
        actions={
          <>
            <ApiCallButton path="/api/v1/apps/seasons" auth="appKey" />
            {make}
          </>
        }
      />
      <Panel flush title={texts.list}>
        <PagedListView
          list={list}
          empty={
            <EmptyState icon={IconCalendarEvent} title={texts.empty} action={make || <NeedsRole least="developer" />}>
              {texts.emptyText}
            </EmptyState>
          }
        >
          {(seasons) => <SeasonTable app={app} cairn={cairn} seasons={seasons} onOpen={setOpen} />}
        </PagedListView>
      </Panel>
      <SeasonForm
        app={app}
        cairn={cairn}
        season={open?.what === 'form' ? open.season : undefined}
        isOpen={open?.what === 'form'}
        onClose={close}
      />
      <DeleteSeason
        app={app}
        cairn={cairn}
        season={open?.what === 'delete' ? open.season : undefined}
        onClose={close}
      />
    </>
  )
}
