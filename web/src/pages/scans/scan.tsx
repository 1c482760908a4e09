import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { errorMessage } from '../../components/feedback/failure.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { ApiCallButton } from '../../components/layout/api-call.tsx'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { QueryResult } from '../../components/query/query-result.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import { DeleteScan } from './delete-scan.tsx'
import { EditScan } from './edit-scan.tsx'
import { isProcessing, nameOf, StatusBadge, VisibilityBadge } from './scan-badges.tsx'
import { ScanFacts } from './scan-facts.tsx'
import { ScanView } from './scan-view.tsx'
import { type KnownScan, useScan } from './use-scan.ts'

const texts = messages.scans.one
const breadcrumbs = [{ name: messages.scans.places }, { name: messages.scans.title, to: '/scans' }]

/** One scan: view, details and location. */
export function ScanPage() {
  const { scanId } = useParams({ from: '/shell/scans/$scanId' })
  const query = useScan(scanId)
  return (
    <PageBody>
      {!query.data && <PageHeader title={messages.scans.title} />}
      <QueryResult query={query} rows={8}>
        {(known) => (
          <>
            <Head {...known} />
            <Body {...known} />
          </>
        )}
      </QueryResult>
    </PageBody>
  )
}

function Head({ scan, isOwn }: KnownScan) {
  return (
    <PageHeader
      title={nameOf(scan)}
      breadcrumbs={breadcrumbs}
      beside={
        <>
          <StatusBadge scan={scan} />
          <VisibilityBadge scan={scan} />
        </>
      }
      sub={scan.location ?? undefined}
      actions={
        <>
          {isOwn && <ApiCallButton path={`/api/v1/user/scans/${scan.id}`} auth="session" />}
          {isOwn && <DeleteScan scan={scan} />}
          {isOwn && <EditScan scan={scan} />}
          {scan.scanUrl && (
            <Button
              component="a"
              variant="filled"
              href={scan.scanUrl}
              download={scan.fileName}
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              {texts.download}
            </Button>
          )}
        </>
      }
    />
  )
}

function Body({ scan, isOwn }: KnownScan) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const retry = useMutation({
    mutationFn: () => cairn.scans.retry(scan.id),
    onSuccess: (again) =>
      queries.setQueriesData<KnownScan>({ queryKey: ['scan', scan.id] }, { scan: again, isOwn: true }),
  })
  const isModel = scan.fileType === 'GLB' || scan.fileType === 'USDZ'
  return (
    <div className="columns">
      <div className="stack">
        {scan.status === 'FAILED' && (
          <Notice
            tone="err"
            title={texts.failed}
            actions={
              isOwn && (
                <Button size="xs" loading={retry.isPending} onClick={() => retry.mutate()}>
                  {texts.retry}
                </Button>
              )
            }
          >
            {retry.error ? errorMessage(retry.error) : scan.error}
          </Notice>
        )}
        {isProcessing(scan) && <Notice tone="note">{texts.waiting}</Notice>}
        <ScanView scan={scan} />
        {isOwn && isModel && (
          <Link to="/files/$fileId" params={{ fileId: String(scan.fileId) }}>
            {texts.toFile}
          </Link>
        )}
      </div>
      <div className="stack">
        <ScanFacts scan={scan} />
      </div>
    </div>
  )
}
