import type { App, Cairn } from '@cairn/sdk'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiCallButton } from '../../../components/layout/api-call.tsx'
import { MakeButton } from '../../../components/layout/make-button.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { messages } from '../../../messages/index.ts'
import { hasRole } from '../../../session/use-app.tsx'
import { breadcrumbsOf, GamePage } from '../game-page.tsx'
import { PlayerForm } from './player-form.tsx'
import { PlayerList } from './player-list.tsx'
import { type PlayersSearch, playersQuery } from './search-params.ts'

const texts = messages.game.players

/** The players of an app. The address holds search, filters and order. */
export function Players() {
  const { appId } = useParams({ from: '/shell/apps/$appId/players' })
  return <GamePage appId={appId}>{(parts) => <Page {...parts} />}</GamePage>
}

function Page({ app, cairn }: { app: App; cairn: Cairn }) {
  const [isMaking, setIsMaking] = useState(false)
  const navigate = useNavigate()
  const search = useSearch({ from: '/shell/apps/$appId/players' })
  const change = (more: PlayersSearch) =>
    void navigate({
      to: '/apps/$appId/players',
      params: { appId: app.id },
      search: { ...search, ...more },
      replace: true,
    })
  const make = hasRole(app, 'moderator') && <MakeButton onClick={() => setIsMaking(true)}>{texts.new}</MakeButton>
  return (
    <>
      <PageHeader
        title={texts.title}
        sub={texts.sub}
        breadcrumbs={breadcrumbsOf(app)}
        actions={
          <>
            <ApiCallButton
              path={`/api/v1/apps/players?${new URLSearchParams(playersQuery(search, search.q ?? ''))}`}
              auth="appKey"
            />
            {make}
          </>
        }
      />
      <PlayerList app={app} cairn={cairn} search={search} onChange={change} make={make} />
      <PlayerForm app={app} cairn={cairn} isOpen={isMaking} onClose={() => setIsMaking(false)} />
    </>
  )
}
