import type { App, Cairn, Fence } from '@cairn/sdk'
import { IconFence } from '@tabler/icons-react'
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
import { CheckInList } from './check-in-list.tsx'
import { DeleteFence } from './delete-fence.tsx'
import { FenceForm } from './fence-form.tsx'
import { FenceTable } from './fence-table.tsx'
import { LiveEvents } from './live/live-events.tsx'
import { Simulator } from './simulator/simulator.tsx'

const texts = messages.game.fences
export type OpenFence = { what: 'form'; fence?: Fence } | { what: 'delete'; fence: Fence } | null

/** The fences of an app and the check-ins at them. */
export function Fences() {
  const { appId } = useParams({ from: '/shell/apps/$appId/fences' })
  return <GamePage appId={appId}>{(parts) => <Page {...parts} />}</GamePage>
}

function Page({ app, cairn }: { app: App; cairn: Cairn }) {
  const [open, setOpen] = useState<OpenFence>(null)
  const close = () => setOpen(null)
  const list = usePagedList(['fences', app.id], () => cairn.fences.list({ limit: 100 }))
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
            <ApiCallButton path="/api/v1/apps/fences" auth="appKey" />
            {make}
          </>
        }
      />
      <div className="stack">
        <Panel flush title={texts.list} beside={list.count !== null && messages.common.total(list.count)}>
          <PagedListView
            list={list}
            empty={
              <EmptyState icon={IconFence} title={texts.empty} action={make || <NeedsRole least="developer" />}>
                {texts.emptyText}
              </EmptyState>
            }
          >
            {(fences) => <FenceTable app={app} fences={fences} onOpen={setOpen} />}
          </PagedListView>
        </Panel>
        {list.items && list.items.length > 0 && (
          <>
            <Simulator app={app} cairn={cairn} fences={list.items} />
            <LiveEvents app={app} cairn={cairn} />
          </>
        )}
        <CheckInList app={app} cairn={cairn} fences={list.items ?? []} />
      </div>
      <FenceForm
        app={app}
        cairn={cairn}
        fence={open?.what === 'form' ? open.fence : undefined}
        isOpen={open?.what === 'form'}
        onClose={close}
      />
      <DeleteFence app={app} cairn={cairn} fence={open?.what === 'delete' ? open.fence : undefined} onClose={close} />
    </>
  )
}
