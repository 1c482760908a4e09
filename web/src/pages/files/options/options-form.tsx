import { Button, Checkbox, Group, Modal, NumberInput, Select, TextInput } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { fieldErrors, formError, useFocusOnError } from '../../../components/feedback/field-errors.ts'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { type Fields, noOptions, optionsOf } from './fields.ts'

const texts = messages.files.options
const FIELDS = ['scale', 'maxTextureSize', 'maxTriangles', 'clip', 'variant', 'alignment']
const choices = <Name extends string>(names: Record<Name, string>) =>
  Object.entries<string>(names).map(([value, label]) => ({ value, label }))

/** Converts a GLB with options; each set of options has its own USDZ. */
export function ConvertWithOptions({ fileId }: { fileId: number }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconAdjustments size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {texts.open}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={texts.open}>
        <Form fileId={fileId} onClose={() => setOpen(false)} />
      </Modal>
    </>
  )
}

function Form({ fileId, onClose }: { fileId: number; onClose: () => void }) {
  const form = useRef<HTMLFormElement>(null)
  const cairn = useCairn()
  const queries = useQueryClient()
  const [fields, setFields] = useState<Fields>(noOptions)
  const set = (change: Partial<Fields>) => setFields({ ...fields, ...change })
  const conversion = useMutation({
    mutationFn: () => cairn.files.convert(fileId, { options: optionsOf(fields) }),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: ['file', fileId] }),
  })
  useFocusOnError(form, conversion.error)
  const wrong = fieldErrors(conversion.error)
  const rest = formError(conversion.error, FIELDS)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    conversion.mutate()
  }
  return (
    <form className="stack" ref={form} onSubmit={submit}>
      <Select
        data-autofocus
        label={texts.profile}
        data={choices(texts.profiles)}
        value={fields.profile}
        onChange={(profile) => set({ profile: profile as Fields['profile'] })}
        allowDeselect={false}
      />
      <Group grow gap={12} align="start">
        <NumberInput
          label={texts.scale}
          description={texts.scaleHelp}
          value={fields.scale}
          error={wrong.scale}
          onChange={(scale) => set({ scale })}
          hideControls
        />
        <NumberInput
          label={texts.maxTextureSize}
          description={texts.maxTextureSizeHelp}
          value={fields.maxTextureSize}
          error={wrong.maxTextureSize}
          onChange={(maxTextureSize) => set({ maxTextureSize })}
          allowDecimal={false}
          hideControls
        />
        <NumberInput
          label={texts.maxTriangles}
          description={texts.maxTrianglesHelp}
          value={fields.maxTriangles}
          error={wrong.maxTriangles}
          onChange={(maxTriangles) => set({ maxTriangles })}
          allowDecimal={false}
          hideControls
        />
      </Group>
      <Group grow gap={12} align="start">
        <Select
          label={texts.anchor}
          data={choices(texts.anchors)}
          value={fields.anchor}
          onChange={(anchor) => set({ anchor: anchor as Fields['anchor'] })}
          allowDeselect={false}
        />
        {fields.anchor === 'plane' && (
          <Select
            label={texts.alignment}
            data={choices(texts.alignments)}
            value={fields.alignment}
            error={wrong.alignment}
            onChange={(alignment) => set({ alignment: alignment as Fields['alignment'] })}
            allowDeselect={false}
          />
        )}
      </Group>
      <Group grow gap={12} align="start">
        <TextInput
          label={texts.clip}
          description={texts.clipHelp}
          value={fields.clip}
          error={wrong.clip}
          onChange={({ currentTarget: { value } }) => set({ clip: value })}
        />
        <Select
          label={texts.animations}
          description={texts.animationsHelp}
          data={choices(texts.orders)}
          value={fields.animations}
          onChange={(animations) => set({ animations: animations as Fields['animations'] })}
          allowDeselect={false}
        />
      </Group>
      <TextInput
        label={texts.variant}
        description={texts.variantHelp}
        value={fields.variant}
        error={wrong.variant}
        onChange={({ currentTarget: { value } }) => set({ variant: value })}
      />
      <Checkbox
        label={texts.onlyClip}
        checked={fields.onlyClip}
        onChange={({ currentTarget: { checked } }) => set({ onlyClip: checked })}
      />
      <Checkbox
        label={texts.loop}
        checked={fields.loop}
        onChange={({ currentTarget: { checked } }) => set({ loop: checked })}
      />
      {conversion.isPending && <Notice tone="note">{texts.waiting}</Notice>}
      {rest && <Notice tone="err">{rest}</Notice>}
      <FormActions submitLabel={texts.verb} isBusy={conversion.isPending} onCancel={onClose} />
    </form>
  )
}
