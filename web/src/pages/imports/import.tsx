import type { CsvUpload, CsvUploadReport } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatNumber } from '../../components/data/format.ts'
import { errorMessage, Failure } from '../../components/feedback/failure.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { Skeleton } from '../../components/query/query-result.tsx'
import { messages } from '../../messages/index.ts'
import { ApplyStep } from './check/apply-step.tsx'
import { CheckStep } from './check/check-step.tsx'
import { ColumnsStep } from './columns/columns-step.tsx'
import { DeleteImport } from './delete-import.tsx'
import { countOf } from './findings/finding-lines.ts'
import { KindBadge, StatusBadge } from './history.tsx'
import classes from './import.module.css'
import { ImportProgress } from './import-progress.tsx'
import { Steps } from './steps.tsx'
import { isRunning, useImport, useImportActions } from './use-import.ts'

const texts = messages.imports

/** One import: its columns, check and result. */
export function ImportPage() {
  const { uploadId } = useParams({ from: '/shell/import/$uploadId' })
  const { record, zone, report } = useImport(uploadId)
  if (!record.data)
    return (
      <PageBody>
        <PageHeader title={texts.title} breadcrumbs={[{ name: texts.places }]} />
        {record.error ? <Failure error={record.error} onRetry={() => void record.refetch()} /> : <Skeleton rows={6} />}
      </PageBody>
    )
  return (
    <Found key={uploadId} record={record.data} report={report.data} zone={zone.data}>
      {report.error && <Failure error={report.error} onRetry={() => void report.refetch()} />}
    </Found>
  )
}

type Props = {
  record: CsvUpload
  report: CsvUploadReport | undefined
  zone: Parameters<typeof CheckStep>[0]['zone']
  children: ReactNode
}

function Found({ record, report, zone, children }: Props) {
  const { step = record.dryRun ? 'columns' : 'apply' } = useSearch({ from: '/shell/import/$uploadId' })
  const runs = useImportActions(record, step)
  const shown = useFocusOnNext(isRunning(record) ? 'running' : step)
  const good = report ? report.summary.created + report.summary.updated + report.summary.unchanged : 0
  const mayApply = record.dryRun && record.status === 'COMPLETED' && record.fileUrl !== null && good > 0
  const count = report ? countOf(report.causes) + report.rows.length : 0
  const done = runs.check.error ?? runs.apply.error
  const actions = !isRunning(record) && (
    <>
      {count > 0 && (
        <Button
          component="a"
          href={`/api/gcp/upload/${record.id}/report?format=csv`}
          download={`${record.fileName}.report.csv`}
          leftSection={<IconDownload size={14} aria-hidden />}
        >
          {texts.head.report(formatNumber(count))}
        </Button>
      )}
      {mayApply && step !== 'apply' && (
        <Button
          variant="filled"
          loading={runs.apply.isPending}
          onClick={() => runs.apply.mutate({ rowCount: report!.summary.rows })}
        >
          {texts.head.apply(formatNumber(good))}
        </Button>
      )}
    </>
  )
  return (
    <PageBody>
      <PageHeader
        title={record.fileName}
        beside={
          <>
            <KindBadge dryRun={record.dryRun} />
            <StatusBadge record={record} isUseless={report !== undefined && good === 0} />
          </>
        }
        breadcrumbs={[{ name: texts.places }, { name: texts.title, to: '/import' }]}
        sub={
          <>
            {texts.head.into}{' '}
            <Link to="/import" search={{ zone: record.zoneId }} className={classes.zone}>
              {zone?.title ?? record.zoneId}
            </Link>
            {record.rowCount !== null && ` · ${texts.head.rows(formatNumber(record.rowCount))}`}
            {record.dryRun && ` · ${texts.head.unwritten}`}
          </>
        }
        actions={
          <span className={`row wide-only ${classes.actions}`}>
            {!isRunning(record) && <DeleteImport record={record} />}
            {actions}
          </span>
        }
      />
      <Steps record={record} step={step} />
      <div className={`stack ${classes.step}`} id="import-step" tabIndex={-1} ref={shown}>
        {children}
        {done && (
          <Notice tone="err" title={texts.apply.notStarted}>
            {errorMessage(done)}
          </Notice>
        )}
        {record.fileUrl === null && !isRunning(record) && <Notice tone="note">{texts.head.notYours}</Notice>}
        {isRunning(record) ? (
          <ImportProgress record={record} />
        ) : !report ? (
          !children && <Skeleton rows={6} />
        ) : step === 'columns' ? (
          <ColumnsStep key={report.uploadId + record.updatedAt} record={record} report={report} check={runs.check} />
        ) : step === 'check' ? (
          <CheckStep record={record} report={report} zone={zone} check={runs.check} />
        ) : (
          <ApplyStep record={record} report={report} zone={zone} runs={runs} />
        )}
      </div>
      {!isRunning(record) && (
        <div className={`narrow-only ${classes.remove}`}>
          <DeleteImport record={record} />
        </div>
      )}
      {actions && <div className={`narrow-only ${classes.sticky}`}>{actions}</div>}
    </PageBody>
  )
}

/** When a step removes the focused element, focuses the next step. */
function useFocusOnNext(what: string) {
  const shown = useRef<HTMLDivElement>(null)
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of what is shown is one
  useEffect(() => {
    if (!isFirst.current && document.activeElement === document.body) shown.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [what])
  return shown
}
