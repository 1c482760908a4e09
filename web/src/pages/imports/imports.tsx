import { IconFileImport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { ApiCallButton } from '../../components/layout/api-call.tsx'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import { ExportZone } from './export-zone.tsx'
import { History } from './history.tsx'
import classes from './imports.module.css'
import { SurveyUpload } from './survey-upload.tsx'
import { ZoneField } from './zone-field.tsx'

const texts = messages.imports
const MAX_ZONES = 1000

/** Uploads survey files, and lists previous imports of a zone. */
export function Imports() {
  const cairn = useCairn()
  const navigate = useNavigate()
  const { zone } = useSearch({ from: '/shell/import' })
  const zones = useQuery({
    queryKey: ['zones'],
    queryFn: ({ signal }) => cairn.zones.list({ limit: 200 }, { signal }).all({ atMost: MAX_ZONES }),
  })
  const [made, setMade] = useState<number>()
  const start = useRef<HTMLDivElement>(null)
  const chooseFile = () => start.current?.querySelector<HTMLInputElement>('input[type="file"]')?.click()
  const only = zones.data?.length === 1 ? zones.data[0]!.id : undefined
  const chosen = zone ?? only
  const choose = (id: number | undefined) =>
    void navigate({ to: '/import', search: id === undefined ? {} : { zone: id }, replace: true })
  const take = (id: number) => {
    setMade(id)
    choose(id)
  }

  return (
    <PageBody>
      <PageHeader
        title={texts.title}
        sub={texts.lead}
        breadcrumbs={[{ name: texts.places }]}
        actions={
          chosen !== undefined && (
            <>
              <ExportZone
                zone={chosen}
                title={zones.data?.find(({ id }) => id === chosen)?.title ?? `zone ${chosen}`}
              />
              <ApiCallButton path={`/api/gcp/zone/${chosen}`} auth="session" />
            </>
          )
        }
      />
      <div className="stack">
        <div className={classes.start} ref={start}>
          {zones.error ? (
            <Failure error={zones.error} onRetry={() => void zones.refetch()} />
          ) : (
            <ZoneField
              zones={zones.data ?? []}
              isLoaded={zones.data !== undefined}
              zone={chosen}
              onZone={choose}
              onMade={take}
            />
          )}
          <SurveyUpload zone={chosen} isNext={made !== undefined && made === chosen} />
        </div>
        {chosen === undefined ? (
          <EmptyState icon={IconFileImport} title={texts.history.noZone} />
        ) : (
          <History key={chosen} zone={chosen} onChooseFile={chooseFile} />
        )}
      </div>
    </PageBody>
  )
}
