import type { Scan } from '@cairn/sdk'
import { Button, Modal, NumberInput, SegmentedControl, TextInput } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormActions } from '../../components/feedback/form-actions.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { notifySuccess } from '../../components/feedback/notify.ts'
import { useForm } from '../../components/feedback/use-form.ts'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import classes from './scan.module.css'
import type { KnownScan } from './use-scan.ts'

const texts = messages.scans.edit
const FIELDS = ['title', 'category', 'lat', 'long']

/** A button and dialog to edit a scan. */
export function EditScan({ scan }: { scan: Scan }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
        {texts.button}
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={texts.title}>
        <Form scan={scan} onDone={() => setIsOpen(false)} />
      </Modal>
    </>
  )
}

function Form({ scan, onDone }: { scan: Scan; onDone: () => void }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const [fields, setFields] = useState({
    title: scan.title ?? '',
    category: scan.category ?? '',
    lat: scan.lat ?? ('' as number | string),
    long: scan.long ?? ('' as number | string),
    visibility: scan.visibility,
  })
  const change = (change: Partial<typeof fields>) => setFields((fields) => ({ ...fields, ...change }))
  const save = useMutation({
    mutationFn: () => {
      const [lat, long] = [numberOf(fields.lat), numberOf(fields.long)]
      // An unchanged location is not sent, because the service would treat it as entered by the user.
      const isMoved = lat !== scan.lat || long !== scan.long
      return cairn.scans.update(scan.id, {
        title: fields.title.trim() || null,
        category: fields.category.trim() || null,
        visibility: fields.visibility,
        ...(isMoved ? { lat, long } : {}),
      })
    },
    onSuccess: (changed) => {
      queries.setQueriesData<KnownScan>({ queryKey: ['scan', scan.id] }, { scan: changed, isOwn: true })
      void queries.invalidateQueries({ queryKey: ['scans'] })
      notifySuccess(texts.saved)
      onDone()
    },
  })
  const { form, wrong, rest } = useForm(save, FIELDS)
  return (
    <form className="stack" {...form}>
      <TextInput
        label={texts.name}
        placeholder={scan.fileName}
        maxLength={255}
        value={fields.title}
        error={wrong.title}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <TextInput
        label={texts.category}
        maxLength={255}
        value={fields.category}
        error={wrong.category}
        onChange={(event) => change({ category: event.currentTarget.value })}
      />
      <div className={classes.pair}>
        <NumberInput
          label={texts.lat}
          value={fields.lat}
          error={wrong.lat}
          hideControls
          decimalScale={8}
          onChange={(lat) => change({ lat })}
        />
        <NumberInput
          label={texts.long}
          value={fields.long}
          error={wrong.long}
          hideControls
          decimalScale={8}
          onChange={(long) => change({ long })}
        />
      </div>
      <p className="faint small">{texts.placeHow}</p>
      <SegmentedControl
        aria-label={messages.scans.visibilityLabel}
        value={fields.visibility}
        onChange={(visibility) => change({ visibility: visibility as Scan['visibility'] })}
        data={(['private', 'public'] as const).map((value) => ({ value, label: messages.scans.visibility[value] }))}
      />
      <p className="faint small">{texts.visibilityHow}</p>
      {rest && (
        <Notice tone="err" title={messages.common.notSaved}>
          {rest}
        </Notice>
      )}
      <FormActions submitLabel={texts.save} isBusy={save.isPending} onCancel={onDone} />
    </form>
  )
}

const numberOf = (value: number | string): number | null => (value === '' ? null : Number(value))
