import type { App, Cairn } from '@cairn/sdk'
import { SegmentedControl } from '@mantine/core'
import { IconGavel } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { ApiCallButton } from '../../../components/layout/api-call.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../../components/query/paged-list.tsx'
import { messages } from '../../../messages/index.ts'
import { breadcrumbsOf, GamePage } from '../game-page.tsx'
import { ReviewTable } from './review-table.tsx'

const texts = messages.game.reviews
const STATES = ['held', 'accepted', 'rejected'] as const
export type ReviewState = (typeof STATES)[number]

/** Scores that broke a rule and doubtful check-ins, to accept or reject. */
export function Reviews() {
  const { appId } = useParams({ from: '/shell/apps/$appId/reviews' })
  return <GamePage appId={appId}>{(parts) => <Page {...parts} />}</GamePage>
}

function Page({ app, cairn }: { app: App; cairn: Cairn }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const search = useSearch({ from: '/shell/apps/$appId/reviews' })
  const state = STATES.find((one) => one === search.state) ?? 'held'
  const list = usePagedList(['reviews', app.id, state], () => cairn.reviews.list({ state, limit: 50 }), {
    refetchInterval: 15_000,
  })
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['reviews', app.id] }),
      queries.invalidateQueries({ queryKey: ['check-ins', app.id] }),
      queries.invalidateQueries({ queryKey: ['player'] }),
    ])
  return (
    <>
      <PageHeader
        title={texts.title}
        sub={texts.sub}
        breadcrumbs={breadcrumbsOf(app)}
        actions={<ApiCallButton path={`/api/v1/apps/reviews?state=${state}`} auth="appKey" />}
      />
      <Panel
        flush
        title={texts.list}
        beside={list.count !== null && messages.common.total(list.count)}
        actions={
          <SegmentedControl
            aria-label={texts.state}
            data={STATES.map((value) => ({ value, label: texts.states[value] }))}
            value={state}
            onChange={(value) =>
              void navigate({
                to: '/apps/$appId/reviews',
                params: { appId: app.id },
                search: value === 'held' ? {} : { state: value },
                replace: true,
              })
            }
          />
        }
      >
        <PagedListView
          list={list}
          empty={
            <EmptyState
              icon={IconGavel}
              title={texts.none[state]}
              action={
                <Link to="/apps/$appId/mini-games" params={{ appId: app.id }}>
                  {texts.toRules}
                </Link>
              }
            >
              {texts.noneText}
            </EmptyState>
          }
        >
          {(reviews) => <ReviewTable app={app} cairn={cairn} reviews={reviews} onDecided={refresh} />}
        </PagedListView>
      </Panel>
    </>
  )
}
