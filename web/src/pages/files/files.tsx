import { Button, Checkbox, SegmentedControl } from '@mantine/core'
import { IconCube } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { COUNT_LIMIT, SEARCH_LIMIT } from '../../components/data/format.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ApiCallButton } from '../../components/layout/api-call.tsx'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { SearchList } from '../../components/query/search-list.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn, useRoles } from '../../session/session.tsx'
import { FileTable } from './file-table.tsx'
import classes from './files.module.css'
import { DropZone } from './uploads/drop-zone.tsx'
import { UploadList } from './uploads/upload-list.tsx'
import { useUploads } from './uploads/use-uploads.ts'

const texts = messages.files

/** Uploads, and the list of files. */
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
        <List onChoose={choose} />
      </div>
    </PageBody>
  )
}

function List({ onChoose }: { onChoose: () => void }) {
  const cairn = useCairn()
  const { isOps } = useRoles()
  const navigate = useNavigate()
  const { search = '', kind, all } = useSearch({ from: '/shell/files' })
  const setSearch = (change: { search?: string; kind?: string; all?: true | undefined }) => {
    const next = Object.fromEntries(Object.entries({ search, kind, all, ...change }).filter(([, value]) => value))
    void navigate({ to: '/files', search: next, replace: true })
  }
  return (
    <SearchList
      title={texts.list}
      searchLabel={texts.find}
      search={search}
      onSearch={(search) => setSearch({ search })}
      queryKey={['files', kind, all]}
      load={(search) =>
        cairn.files.list({ limit: 50, ...(search && { search }), ...(kind && { kind }), ...(all && { all }) })
      }
      countLimit={(search) => (all ? (search ? SEARCH_LIMIT : COUNT_LIMIT) : undefined)}
      filters={
        <div className={classes.filters}>
          <SegmentedControl
            aria-label={texts.kindLabel}
            value={kind ?? 'all'}
            onChange={(kind) => setSearch({ kind: kind === 'all' ? '' : kind })}
            data={Object.entries(texts.kinds).map(([value, label]) => ({ value, label }))}
          />
          {isOps && (
            <Checkbox
              label={texts.everybodys}
              checked={all ?? false}
              onChange={({ currentTarget: { checked } }) => setSearch({ all: checked || undefined })}
            />
          )}
        </div>
      }
      empty={(search) =>
        search || kind ? (
          <EmptyState
            title={messages.common.noneFound}
            action={<Button onClick={() => setSearch({ search: '', kind: '' })}>{messages.common.clear}</Button>}
          >
            {search ? texts.none(search) : texts.noneOfKind}
          </EmptyState>
        ) : (
          <EmptyState
            icon={IconCube}
            title={texts.empty}
            action={<Button onClick={onChoose}>{texts.upload.choose}</Button>}
          >
            {texts.emptyHow}
          </EmptyState>
        )
      }
    >
      {(files) => <FileTable files={files} isEverybodys={all ?? false} />}
    </SearchList>
  )
}
