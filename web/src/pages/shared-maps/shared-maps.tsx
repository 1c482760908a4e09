import type { SharedMap } from '@cairn/sdk'
import { IconMapShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { MakeButton } from '../../components/layout/make-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { QueryResult } from '../../components/query/query-result.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import { MapForm } from './map-form.tsx'
import { MapTable } from './map-table.tsx'
import { MAPS_KEY } from './maps-key.ts'

const texts = messages.sharedMaps

/** The shared maps of the signed-in user: lists, creates, changes and deletes them. */
export function SharedMaps() {
  const cairn = useCairn()
  const [form, setForm] = useState<{ map?: SharedMap } | null>(null)
  const query = useQuery({
    queryKey: MAPS_KEY,
    queryFn: async ({ signal }) => (await cairn.sharedMaps.list({ signal })).maps,
  })
  const make = <MakeButton onClick={() => setForm({})}>{texts.new}</MakeButton>
  return (
    <PageBody>
      <PageHeader title={messages.shell.pages.sharedMaps} sub={texts.sub} actions={make} />
      <Panel flush title={texts.list}>
        <QueryResult query={query}>
          {(maps) =>
            maps.length === 0 ? (
              <EmptyState icon={IconMapShare} title={texts.empty} action={make}>
                {texts.emptyText}
              </EmptyState>
            ) : (
              <MapTable maps={maps} onEdit={(map) => setForm({ map })} />
            )
          }
        </QueryResult>
      </Panel>
      <MapForm isOpen={form !== null} map={form?.map} onClose={() => setForm(null)} />
    </PageBody>
  )
}
