import type { CsvUpload } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { Notice } from '../../../components/feedback/notice.tsx'
import { messages } from '../../../messages/index.ts'
import { asSentence } from '../sentence.ts'
import type { useImportActions } from '../use-import.ts'

const texts = messages.imports
/** The coordinate system that the service proposes, in the words of its API. */
const PROPOSED = /import with crs=(\S+?)(?=[ ;,)]|$)/

/** Why a file could not be read. If the service proposes a coordinate system, a button checks the file with it. */
export function FailedCheck({
  record,
  check,
}: {
  record: CsvUpload
  check: ReturnType<typeof useImportActions>['check']
}) {
  const crs = PROPOSED.exec(record.errorMessage ?? '')?.[1]
  const message = record.errorMessage?.replace(PROPOSED, (_, system: string) => texts.chooseCrs(system)) ?? null
  return (
    <Notice
      tone="err"
      title={record.dryRun ? texts.apply.failedCheck : texts.apply.failed}
      actions={
        crs &&
        record.fileUrl !== null && (
          <Button loading={check.isPending} onClick={() => check.mutate({ crs })}>
            {texts.withCrs(crs)}
          </Button>
        )
      }
    >
      <div>{asSentence(message)}</div>
    </Notice>
  )
}
