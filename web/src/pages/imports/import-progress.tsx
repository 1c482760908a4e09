import type { CsvUpload } from '@cairn/sdk'
import { Progress } from '@mantine/core'
import { formatNumber } from '../../components/data/format.ts'
import { Panel } from '../../components/layout/panel.tsx'
import { messages } from '../../messages/index.ts'

const { apply, check } = messages.imports

/** The progress of a check or an import. Only imports know their number of rows. */
export function ImportProgress({ record }: { record: CsvUpload }) {
  const { rowCount, processedRows, dryRun, status } = record
  const isCounted = !dryRun && rowCount !== null && rowCount > 0
  const share = isCounted ? (processedRows ?? 0) / rowCount : 0
  const progressText =
    status === 'PENDING'
      ? check.waiting
      : isCounted
        ? check.readingOf(formatNumber(processedRows ?? 0), formatNumber(rowCount))
        : check.reading(formatNumber(processedRows ?? 0))
  return (
    <Panel title={dryRun ? apply.checking : apply.running}>
      <div className="stack">
        <Progress
          value={isCounted ? share * 100 : 100}
          animated={!isCounted}
          size={8}
          aria-label={dryRun ? apply.checking : apply.running}
        />
        <p className="dim" role="status">
          {progressText}
        </p>
      </div>
    </Panel>
  )
}
