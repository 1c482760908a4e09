import type { CsvUpload, CsvUploadReport } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { formatNumber } from '../../../components/data/format.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { messages } from '../../../messages/index.ts'
import { assignRole, columnsOf, formatHeader, PAIRS } from '../columns/header.ts'
import { asSentence } from '../sentence.ts'
import type { useImportActions } from '../use-import.ts'

const texts = messages.imports

type Props = { record: CsvUpload; report: CsvUploadReport; check: ReturnType<typeof useImportActions>['check'] }

/** Warnings about the file as a whole and rows with swapped axes, with a fix where one click is enough. */
export function FileNotices({ record, report, check }: Props) {
  const notices = report.rows.filter(({ row, status }) => row === null && status === 'warning')
  const fix = swapOf(report)
  const swapped = report.causes.find(({ code, status }) => code === 'AXES_SWAPPED' && status === 'failed')?.count ?? 0
  const mayCheck = record.fileUrl !== null && record.dryRun
  const swapRows = swapped > 0 && mayCheck && !record.swapAxes && (
    <Button
      leftSection={<IconArrowsExchange size={14} aria-hidden />}
      loading={check.isPending}
      onClick={() => check.mutate({ swapAxes: true })}
    >
      {texts.columns.swapRows(formatNumber(swapped))}
    </Button>
  )
  const lines = notices.flatMap(({ errors }) => errors)
  if (swapped > 0 && !lines.some(({ code }) => code === 'AXES_SWAPPED'))
    return [
      <Notice key="rows" tone="err" title={texts.columns.swapped(formatNumber(swapped))} actions={swapRows}>
        {texts.columns.swappedHow}
      </Notice>,
      ...lines.map(noticeOf),
    ]
  return lines.map(noticeOf)

  function noticeOf({ code, message }: (typeof lines)[number]) {
    return (
      <Notice
        key={code}
        tone={code === 'AXES_SWAPPED' ? 'err' : 'warn'}
        title={`${texts.findings.codes[code] ?? code}.`}
        actions={
          code === 'AXES_SWAPPED' &&
          (fix && mayCheck ? (
            <Button
              leftSection={<IconArrowsExchange size={14} aria-hidden />}
              loading={check.isPending}
              onClick={() => check.mutate({ header: fix.header, ...(record.crs ? { crs: record.crs } : {}) })}
            >
              {texts.columns.swap(fix.names[0]!, fix.names[1]!)}
            </Button>
          ) : (
            swapRows
          ))
        }
      >
        {asSentence(message)}
      </Notice>
    )
  }
}

/** The header row with both axes swapped. Photo lists have no header. */
function swapOf({ detected }: CsvUploadReport) {
  if (!detected?.header) return undefined
  const fields = columnsOf(detected)
  for (const pair of PAIRS) {
    const [east, north] = pair.map((role) => fields.findIndex((field) => field.role === role))
    if (east === undefined || north === undefined || east < 0 || north < 0) continue
    const names = [fields[east]!.name, fields[north]!.name]
    return { names, header: formatHeader(assignRole(fields, east, fields[north]!.role), detected.delimiter ?? ',') }
  }
  return undefined
}
