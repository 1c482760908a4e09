import type { CsvUploadReport } from '@cairn/sdk'
import { IconAlertTriangle } from '@tabler/icons-react'
import { formatNumber } from '../../../components/data/format.ts'
import { messages } from '../../../messages/index.ts'
import classes from './row-counts.module.css'

const texts = messages.imports.check
const PARTS = ['created', 'updated', 'unchanged', 'failed'] as const

/** Row counts by result, as a bar and as figures. */
export function RowCounts({ report, isDone }: { report: CsvUploadReport; isDone: boolean }) {
  const { summary } = report
  // The file's own warnings are shown as notices.
  const warned = summary.warnings - report.rows.filter(({ row, status }) => row === null && status === 'warning').length
  const parts = PARTS.filter((part) => summary[part] > 0)
  return (
    <section aria-label={isDone ? texts.tallyDone : texts.tally}>
      <div className={`${classes.bar} drawn`} aria-hidden>
        {parts.map((part) => (
          <span key={part} className={classes[part]} style={{ flexGrow: summary[part] }} />
        ))}
      </div>
      <ul className={classes.figures}>
        {PARTS.map((part) => (
          <li key={part} className={part === 'failed' && summary.failed > 0 ? classes.bad : undefined}>
            <span className={`${classes.square} ${classes[part]} drawn`} aria-hidden />
            <b>{formatNumber(summary[part])}</b> {texts[part]}
          </li>
        ))}
        {warned > 0 && (
          <li className={classes.warn}>
            <IconAlertTriangle size={14} aria-hidden /> {texts.warnings(formatNumber(warned))}
          </li>
        )}
      </ul>
    </section>
  )
}
