import '@mantine/dropzone/styles.css'
import { Button, Progress } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconFileImport } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { formatPercent } from '../../components/data/format.ts'
import { errorMessage } from '../../components/feedback/failure.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import classes from './imports.module.css'

const texts = messages.imports.drop

/** Uploads a survey file, starts a check and opens its page. @param isNext focuses the button */
export function SurveyUpload({ zone, isNext }: { zone: number | undefined; isNext: boolean }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const choose = useRef<() => void>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isNext) button.current?.focus()
  }, [isNext])
  const [share, setShare] = useState(0)
  const send = useMutation({
    mutationFn: async (file: File) => {
      setShare(0)
      const onProgress = ({ sent, total }: { sent: number; total: number }) => setShare(total === 0 ? 1 : sent / total)
      const { url } = await cairn.files.upload(file, { onProgress })
      return cairn.csvUploads.create({ fileName: file.name, fileUrl: url, zoneId: zone! }, { dryRun: true })
    },
    onSuccess: (record) => {
      queries.setQueryData(['import', record.id], record)
      void navigate({ to: '/import/$uploadId', params: { uploadId: record.id }, search: { step: 'columns' } })
    },
  })
  const isDisabled = zone === undefined || send.isPending
  return (
    <div className="stack">
      <Dropzone
        openRef={choose}
        onDrop={([file]) => file && send.mutate(file)}
        multiple={false}
        disabled={isDisabled}
        activateOnClick={false}
        activateOnKeyboard={false}
        enablePointerEvents
        tabIndex={-1}
        className={classes.drop}
        inputProps={{ 'aria-label': texts.choose }}
      >
        <div className={classes.dropInside}>
          <IconFileImport size={24} stroke={1.5} aria-hidden />
          <div className="grow">
            <div className="strong wide-only">{texts.drop}</div>
            <div className="dim">{zone === undefined ? texts.first : texts.how}</div>
          </div>
          <Button variant="filled" disabled={isDisabled} onClick={() => choose.current?.()} ref={button}>
            {texts.choose}
          </Button>
        </div>
      </Dropzone>
      {send.isPending && (
        <div role="status">
          <span className="dim">{texts.sending(send.variables.name, formatPercent(share))}</span>
          <Progress
            value={share * 100}
            size={4}
            aria-label={texts.sending(send.variables.name, formatPercent(share))}
          />
        </div>
      )}
      {send.error && (
        <Notice tone="err" title={texts.not}>
          {errorMessage(send.error)}
        </Notice>
      )}
    </div>
  )
}
