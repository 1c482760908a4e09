import type { CsvUpload, CsvUploadReport } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { Notice } from '../../../components/feedback/notice.tsx'
import { messages } from '../../../messages/index.ts'
import { assignRole, columnsOf, formatHeader, PAIRS } from '../columns/header.ts'
import { asSentence } from '../sentence.ts'
import type { useImportActions } from '../use-import.ts'

const texts = messages.imports

type Props = { record: CsvUpload; report: CsvUploadReport; check: ReturnType<typeof useImportActions>['check'] }

/** Warnings about the file as a whole, with a fix where one click is enough. */
export function FileNotices({ record, report, check }: Props) {
  const notices = report.rows.filter(({ row, status }) => row === null && status === 'warning')
  const fix = swapOf(report)
  return notices.flatMap(({ errors }) =>
    errors.map(({ code, message }) => (
      <Notice
        key={code}
        tone={code === 'AXES_SWAPPED' ? 'err' : 'warn'}
        title={`${texts.findings.codes[code] ?? code}.`}
        actions={
          code === 'AXES_SWAPPED' &&
          fix &&
          record.fileUrl !== null &&
          record.dryRun && (
            <Button
              leftSection={<IconArrowsExchange size={14} aria-hidden />}
              loading={check.isPending}
              onClick={() => check.mutate({ header: fix.header, ...(record.crs ? { crs: record.crs } : {}) })}
            >
              {texts.columns.swap(fix.names[0]!, fix.names[1]!)}
            </Button>
          )
        }
      >
        {asSentence(message)}
      </Notice>
    )),
  )
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
