import type { Cairn, Scan } from '@cairn/sdk'
import { SegmentedControl } from '@mantine/core'
import { IconScan } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { NotAllowed } from '../../components/feedback/failure.tsx'
import { ApiCallButton } from '../../components/layout/api-call.tsx'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../components/query/paged-list.tsx'
import { Skeleton } from '../../components/query/query-result.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import { useAppCairn } from '../../session/use-app.tsx'
import { useCurrentApp } from '../../shell/current-app.tsx'
import { NewScan } from './new-scan.tsx'
import { isProcessing } from './scan-badges.tsx'
import { ScanCard } from './scan-card.tsx'
import classes from './scans.module.css'

/** Loaded on demand because the map is large. */
const ScanMap = lazy(() => import('./map/scan-map.tsx').then(({ ScanMap }) => ({ default: ScanMap })))

const texts = messages.scans
/** Milliseconds between refetches while a scan is being processed. */
const LOOK_MS = 2000
const LIMIT = 24

/** The user's scans and public scans, as a gallery or a map. */
export function Scans() {
  const cairn = useCairn()
  const navigate = useNavigate()
  const search = useSearch({ from: '/shell/scans' })
  const isPublic = search.of === 'public'
  const isMap = search.view === 'map'
  const { app } = useCurrentApp()
  const appCairn = useAppCairn(app)
  const setSearch = ({ of, view }: { of?: 'public' | undefined; view?: 'map' | undefined }) =>
    void navigate({ to: '/scans', search: { ...(of ? { of } : {}), ...(view ? { view } : {}) } })
  const call = isPublic ? '/api/v1/scans/public-scans' : '/api/v1/user/scans'
  return (
    <PageBody>
      <PageHeader
        title={texts.title}
        sub={texts.lead}
        breadcrumbs={[{ name: texts.places }]}
        actions={
          <>
            <ApiCallButton path={call} auth={isPublic ? 'appKey' : 'session'} />
            <NewScan />
          </>
        }
      />
      <Panel flush>
        <div className={classes.filters}>
          <SegmentedControl
            aria-label={texts.whose}
            value={isPublic ? 'public' : 'mine'}
            onChange={(value) => setSearch({ ...search, of: value === 'public' ? 'public' : undefined })}
            data={[
              { value: 'mine', label: texts.mine },
              { value: 'public', label: texts.everybodys },
            ]}
          />
          <SegmentedControl
            aria-label={texts.view}
            value={isMap ? 'map' : 'pictures'}
            onChange={(value) => setSearch({ ...search, view: value === 'map' ? 'map' : undefined })}
            data={[
              { value: 'pictures', label: texts.asPictures },
              { value: 'map', label: texts.asMap },
            ]}
          />
        </div>
        {!isPublic && <Gallery key="mine" cairn={cairn} isPublic={false} isMap={isMap} />}
        {isPublic && appCairn && <Gallery key="public" cairn={appCairn} isPublic isMap={isMap} />}
        {isPublic && !appCairn && <NotAllowed>{texts.needsApp}</NotAllowed>}
      </Panel>
    </PageBody>
  )
}

function Gallery({ cairn, isPublic, isMap }: { cairn: Cairn; isPublic: boolean; isMap: boolean }) {
  const [isWatching, setIsWatching] = useState(false)
  const list = usePagedList<Scan>(
    ['scans', isPublic ? 'public' : 'mine'],
    () => (isPublic ? cairn.scans.listPublic({ limit: LIMIT }) : cairn.scans.list({ limit: LIMIT })),
    isWatching ? { refetchInterval: LOOK_MS } : {},
  )
  const { items, count } = list
  const isAnyUnderWay = items?.some(isProcessing) ?? false
  if (isAnyUnderWay !== isWatching) setIsWatching(isAnyUnderWay)

  return (
    <PagedListView
      list={list}
      empty={
        <EmptyState
          icon={IconScan}
          title={isPublic ? texts.emptyPublic : texts.empty}
          action={!isPublic && <NewScan />}
        >
          {isPublic ? texts.emptyPublicHow : texts.emptyHow}
        </EmptyState>
      }
    >
      {(scans) =>
        isMap ? (
          <Suspense fallback={<Skeleton rows={6} />}>
            <ScanMap scans={scans} />
          </Suspense>
        ) : (
          <ul className={classes.gallery} aria-label={`${texts.list}${count === null ? '' : `: ${count}`}`}>
            {scans.map((scan) => (
              <ScanCard key={scan.id} scan={scan} />
            ))}
          </ul>
        )
      }
    </PagedListView>
  )
}
