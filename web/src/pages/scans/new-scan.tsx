import type { Progress as Sent } from '@cairn/sdk'
import { Button, Modal, Progress, SegmentedControl, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { formatBytes } from '../../components/data/format.ts'
import { errorMessage } from '../../components/feedback/failure.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { MakeButton } from '../../components/layout/make-button.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import { DropZone } from '../files/uploads/drop-zone.tsx'

const texts = messages.scans.make
type Visibility = 'private' | 'public'

/** A button and dialog to create a scan from a file. */
export function NewScan() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <MakeButton onClick={() => setIsOpen(true)}>{messages.scans.new}</MakeButton>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={texts.title} size="lg">
        <Form />
      </Modal>
    </>
  )
}

function Form() {
  const cairn = useCairn()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [file, setFile] = useState<File>()
  const [title, setTitle] = useState('')
  const [visibility, setVisibility] = useState<Visibility>('private')
  const [sent, setSent] = useState<Sent>()
  const make = useMutation({
    mutationFn: async (file: File) => {
      const { fileId } = await cairn.files.upload(file, { onProgress: setSent })
      return cairn.scans.create({ fileId, title: title.trim() || null, visibility })
    },
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['scans'] })
      await navigate({ to: '/scans/$scanId', params: { scanId: id } })
    },
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (file) make.mutate(file)
      }}
    >
      <DropZone
        multiple={false}
        how={file ? texts.chosen(file.name, formatBytes(file.size)) : texts.how}
        onFiles={([chosen]) => setFile(chosen)}
      />
      <TextInput
        label={messages.scans.edit.name}
        placeholder={file?.name}
        maxLength={255}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <SegmentedControl
        aria-label={messages.scans.visibilityLabel}
        value={visibility}
        onChange={(value) => setVisibility(value as Visibility)}
        data={(['private', 'public'] as const).map((value) => ({ value, label: messages.scans.visibility[value] }))}
      />
      <p className="faint small">{messages.scans.edit.visibilityHow}</p>
      {make.isPending && sent && <Progress value={(sent.sent / sent.total) * 100} aria-label={texts.sending} />}
      {make.error && (
        <Notice tone="err" title={texts.failed}>
          {errorMessage(make.error)}
        </Notice>
      )}
      <Button type="submit" variant="filled" disabled={!file} loading={make.isPending}>
        {texts.button}
      </Button>
    </form>
  )
}
