import type { CsvUpload, CsvUploadReport, Zone } from '@cairn/sdk'
import { Notice } from '../../../components/feedback/notice.tsx'
import { messages } from '../../../messages/index.ts'
import { FileNotices } from '../findings/file-notices.tsx'
import { Findings } from '../findings/findings.tsx'
import classes from '../import.module.css'
import { sentenced } from '../sentence.ts'
import type { useRuns } from '../use-import.ts'
import { Foreseen } from './check-preview.tsx'
import { Tally } from './row-counts.tsx'

type Props = {
  record: CsvUpload
  report: CsvUploadReport
  zone: Zone | undefined
  check: ReturnType<typeof useRuns>['check']
}

/** What would happen to each row, where the points would be, and what is wrong with the others. */
export const CheckStep = ({ record, report, zone, check }: Props) => (
  <>
    <Tally report={report} isDone={!record.dryRun} />
    {record.status === 'FAILED' && (
      <Notice tone="err" title={messages.imports.apply.failedCheck}>
        <div>{sentenced(record.errorMessage)}</div>
      </Notice>
    )}
    <FileNotices record={record} report={report} check={check} />
    <div className={classes.check}>
      {record.dryRun && zone && <Foreseen record={record} report={report} zone={zone} />}
      <Findings record={record} report={report} />
    </div>
  </>
)
