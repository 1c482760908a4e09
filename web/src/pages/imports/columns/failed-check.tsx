import type { CsvUpload } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { Notice } from '../../../components/feedback/notice.tsx'
import { messages } from '../../../messages/index.ts'
import { asSentence } from '../sentence.ts'
import type { useImportActions } from '../use-import.ts'

const texts = messages.imports
/** A coordinate system in the words of the service's API: one that fits the zone, or an example. */
const NAMED = /import with crs=([^\s;,)]+)/
const FITS = 'the points would be in their zone'

/** Why a file could not be read. If the service names a coordinate system in which the points are in their zone, a button checks the file with it. */
export function FailedCheck({
  record,
  check,
}: {
  record: CsvUpload
  check: ReturnType<typeof useImportActions>['check']
}) {
  const error = record.errorMessage ?? ''
  const crs = error.includes(FITS) ? NAMED.exec(error)?.[1] : undefined
  const message = error.replace(NAMED, (_, system: string) => texts.chooseCrs(system))
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
