import type { CsvUpload, CsvUploadReport, Zone } from '@cairn/sdk'
import { Notice } from '../../../components/feedback/notice.tsx'
import { messages } from '../../../messages/index.ts'
import { FileNotices } from '../findings/file-notices.tsx'
import { Findings } from '../findings/findings.tsx'
import classes from '../import.module.css'
import { asSentence } from '../sentence.ts'
import type { useImportActions } from '../use-import.ts'
import { CheckPreview } from './check-preview.tsx'
import { RowCounts } from './row-counts.tsx'

type Props = {
  record: CsvUpload
  report: CsvUploadReport
  zone: Zone | undefined
  check: ReturnType<typeof useImportActions>['check']
}

/** The expected changes, a map of the points, and the errors and warnings. */
export const CheckStep = ({ record, report, zone, check }: Props) => (
  <>
    <RowCounts report={report} isDone={!record.dryRun} />
    {record.status === 'FAILED' && (
      <Notice tone="err" title={messages.imports.apply.failedCheck}>
        <div>{asSentence(record.errorMessage)}</div>
      </Notice>
    )}
    <FileNotices record={record} report={report} check={check} />
    <div className={classes.check}>
      {record.dryRun && zone && <CheckPreview record={record} report={report} zone={zone} />}
      <Findings record={record} report={report} />
    </div>
  </>
)
