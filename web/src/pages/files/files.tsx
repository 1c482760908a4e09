import { Checkbox, SegmentedControl, TextInput } from '@mantine/core'
import { IconCube, IconSearch } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { COUNT_LIMIT, SEARCH_LIMIT } from '../../components/data/format.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ApiCallButton } from '../../components/layout/api-call.tsx'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../components/query/paged-list.tsx'
import { useDebounced } from '../../components/query/use-debounced.ts'
import { messages } from '../../messages/index.ts'
import { useCairn, useRoles } from '../../session/session.tsx'
import { FileTable } from './file-table.tsx'
import classes from './files.module.css'
import { DropZone } from './uploads/drop-zone.tsx'
import { UploadList } from './uploads/upload-list.tsx'
import { useUploads } from './uploads/use-uploads.ts'

const texts = messages.files

/** What somebody sent to the box, and where they send more. */
export function Files() {
  const uploads = useUploads()
  const box = useRef<HTMLDivElement>(null)
  const choose = () => box.current?.querySelector<HTMLInputElement>('input[type="file"]')?.click()
  return (
    <PageBody>
      <PageHeader
        title={texts.title}
        sub={texts.lead}
        breadcrumbs={[{ name: texts.places }]}
        actions={<ApiCallButton path={`/api/v1/user/files${location.search}`} auth="session" />}
      />
      <div className="stack" ref={box}>
        <DropZone onFiles={uploads.add} isMain />
        <UploadList uploads={uploads} onChoose={choose} />
        <List />
      </div>
    </PageBody>
  )
}

function List() {
  const cairn = useCairn()
  const { isOps } = useRoles()
  const navigate = useNavigate()
  const search = useSearch({ from: '/shell/files' })
  const query = useDebounced(search)
  const list = usePagedList(['files', query], () => cairn.files.list({ ...query, limit: 50 }), {
    keepPrevious: true,
    countLimit: query.all ? (query.search ? SEARCH_LIMIT : COUNT_LIMIT) : undefined,
  })
  const { count } = list
  const filter = (change: typeof search) => {
    const next = Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value))
    void navigate({ to: '/files', search: next, replace: true })
  }
  const isFiltered = search.search !== undefined || search.kind !== undefined

  return (
    <Panel
      flush
      title={texts.list}
      beside={count}
      actions={
        <TextInput
          data-find
          aria-label={texts.find}
          placeholder={texts.find}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search.search ?? ''}
          onChange={({ currentTarget: { value } }) => filter({ search: value || undefined })}
        />
      }
    >
      <div className={classes.filters}>
        <SegmentedControl
          aria-label={texts.kindLabel}
          value={search.kind ?? 'all'}
          onChange={(kind) => filter({ kind: kind === 'all' ? undefined : (kind as typeof search.kind) })}
          data={Object.entries(texts.kinds).map(([value, label]) => ({ value, label }))}
        />
        {isOps && (
          <Checkbox
            label={texts.everybodys}
            checked={search.all ?? false}
            onChange={({ currentTarget: { checked } }) => filter({ all: checked || undefined })}
          />
        )}
      </div>
      <PagedListView
        list={list}
        none={
          isFiltered ? (
            <EmptyState title={messages.states.noneFound}>
              {search.search ? texts.none(search.search) : texts.noneOfKind}
            </EmptyState>
          ) : (
            <EmptyState icon={IconCube} title={texts.empty}>
              {texts.emptyHow}
            </EmptyState>
          )
        }
      >
        {(files) => <FileTable files={files} isEverybodys={search.all ?? false} />}
      </PagedListView>
    </Panel>
  )
}
