import type { UserFileDetail } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconDownload, IconRefresh } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { CopyableId } from '../../components/copy/copy-button.tsx'
import { formatBytes } from '../../components/data/format.ts'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { errorMessage } from '../../components/feedback/failure.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { ApiCallButton } from '../../components/layout/api-call.tsx'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { QueryResult } from '../../components/query/query-result.tsx'
import { messages } from '../../messages/index.ts'
import { ArLink } from './ar-link.tsx'
import { ConversionBadge } from './conversion-badge.tsx'
import { ConversionReportPanel } from './conversion-report.tsx'
import { DeleteFile } from './delete-file.tsx'
import classes from './file.module.css'
import { FileFacts } from './file-facts.tsx'
import { ModelPanel } from './model-panel.tsx'
import { isConvertible, isGlb, isUsdz, mainConversion, mainResult } from './model-types.ts'
import { OptionSets } from './options/option-sets.tsx'
import { ConvertWithOptions } from './options/options-form.tsx'
import { useFile } from './use-file.ts'

const texts = messages.files.file
const breadcrumbs = [{ name: messages.files.places }, { name: messages.files.title, to: '/files' }]

/** One file: preview, conversion, AR link and downloads. */
export function FilePage() {
  const { fileId } = useParams({ from: '/shell/files/$fileId' })
  const { query, convert, isConverting } = useFile(Number(fileId))
  return (
    <PageBody>
      {!query.data && <PageHeader title={messages.files.title} />}
      <QueryResult query={query} rows={8}>
        {(file) => (
          <>
            <Head file={file} onConvert={() => convert.mutate()} isConverting={isConverting} />
            <Body file={file} failure={convert.error} isConverting={isConverting} />
          </>
        )}
      </QueryResult>
    </PageBody>
  )
}

type HeadProps = { file: UserFileDetail; onConvert: () => void; isConverting: boolean }

function Head({ file, onConvert, isConverting }: HeadProps) {
  const { fileName, fileId } = file
  const conversion = mainConversion(file)
  const { type, name } = mainResult(file)
  const canConvert = (isConvertible(file) || isUsdz(file)) && conversion?.status !== 'COMPLETED'
  // A USDZ is shown by iPhones as it is.
  const isMain = canConvert && !isUsdz(file)
  return (
    <PageHeader
      title={fileName}
      breadcrumbs={breadcrumbs}
      beside={(isConvertible(file) || conversion) && <ConversionBadge conversion={conversion} />}
      sub={
        <span className={classes.sub}>
          <span>
            {texts.sent} <RelativeTime at={file.createdAt} /> {file.userId === null && messages.files.noSession}
          </span>
          <span>{formatBytes(file.bytes)}</span>
          <span className="row">
            {texts.id} <CopyableId value={fileId} what={texts.copyId} />
          </span>
        </span>
      }
      actions={
        <>
          <ApiCallButton path={`/api/v1/user/files/${fileId}`} auth="session" />
          <DeleteFile file={file} />
          {isConvertible(file) && <ConvertWithOptions fileId={fileId} />}
          {canConvert && (
            <Button
              variant={isMain ? 'filled' : 'default'}
              loading={isConverting}
              leftSection={<IconRefresh size={16} aria-hidden />}
              onClick={onConvert}
            >
              {conversion?.status === 'FAILED' ? texts.convertAgain : texts.convert(type)}
            </Button>
          )}
          {!isMain && (
            <Button
              component="a"
              variant="filled"
              href={conversion?.resultUrl ?? file.url}
              download={conversion?.resultUrl ? name : fileName}
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              {conversion?.resultUrl ? type : texts.download}
            </Button>
          )}
        </>
      }
    />
  )
}

type BodyProps = { file: UserFileDetail; failure: unknown; isConverting: boolean }

function Body({ file, failure, isConverting }: BodyProps) {
  const { fileName, url, contentType } = file
  const conversion = mainConversion(file)
  const isShown = isGlb(file) || isUsdz(file) || Boolean(conversion?.resultUrl)
  const why = conversion?.errorMessage ?? (failure ? errorMessage(failure) : null)
  return (
    <div className={classes.page}>
      <div className="columns">
        <div className="stack">
          {isShown && <ModelPanel file={file} />}
          {contentType.startsWith('image/') && (
            <img className={classes.picture} src={url} alt={texts.picture(fileName)} />
          )}
          {isConverting && <Notice tone="note">{texts.waiting(mainResult(file).type)}</Notice>}
          {!isConverting && why && (
            <Notice tone="err" title={texts.why}>
              {why}
            </Notice>
          )}
          {!isConverting && isConvertible(file) && !conversion && !why && (
            <Notice tone="note">{isGlb(file) ? texts.notConverted : texts.meshNotConverted}</Notice>
          )}
        </div>
        <div className="stack">
          {isShown && <ArLink file={file} />}
          <FileFacts file={file} />
        </div>
      </div>
      {!isUsdz(file) && <OptionSets file={file} />}
      {conversion?.report && <ConversionReportPanel report={conversion.report} fileName={fileName} />}
    </div>
  )
}
