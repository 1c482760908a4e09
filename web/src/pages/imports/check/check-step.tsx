import type { CsvUpload, CsvUploadReport, Zone } from '@cairn/sdk'
import { FailedCheck } from '../columns/failed-check.tsx'
import { FileNotices } from '../findings/file-notices.tsx'
import { Findings } from '../findings/findings.tsx'
import classes from '../import.module.css'
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
    {record.status === 'FAILED' && <FailedCheck record={record} check={check} />}
    <FileNotices record={record} report={report} check={check} />
    <div className={classes.check}>
      {record.dryRun && zone && <CheckPreview record={record} report={report} zone={zone} />}
      <Findings record={record} report={report} />
    </div>
  </>
)
