import { Button, Checkbox, Group, Modal, NumberInput, Select, TextInput } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useForm } from '../../../components/feedback/use-form.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { AnchorFields } from './anchor-fields.tsx'
import { choices, type Fields, noOptions, optionsOf } from './fields.ts'

const texts = messages.files.options
const FIELDS = [
  'scale',
  'maxTextureSize',
  'maxTriangles',
  'clip',
  'variant',
  'alignment',
  'anchorImageId',
  'anchorWidth',
  'label',
  'description',
]

/** Converts a model with options; each set of options has its own USDZ. */
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
  const cairn = useCairn()
  const queries = useQueryClient()
  const [fields, setFields] = useState<Fields>(noOptions)
  const set = (change: Partial<Fields>) => setFields({ ...fields, ...change })
  const conversion = useMutation({
    mutationFn: () => cairn.files.convert(fileId, { options: optionsOf(fields) }),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: ['file', fileId] }),
  })
  const { form, wrong, rest } = useForm(conversion, FIELDS)
  return (
    <form className="stack" {...form}>
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
      <AnchorFields fields={fields} set={set} wrong={wrong} />
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
      <Group grow gap={12} align="start">
        <TextInput
          label={texts.label}
          description={texts.labelHelp}
          value={fields.label}
          error={wrong.label}
          maxLength={200}
          onChange={({ currentTarget: { value } }) => set({ label: value })}
        />
        <TextInput
          label={texts.description}
          description={texts.descriptionHelp}
          value={fields.description}
          error={wrong.description}
          maxLength={1000}
          onChange={({ currentTarget: { value } }) => set({ description: value })}
        />
      </Group>
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
      <Checkbox
        label={texts.classicLight}
        checked={fields.isClassicLight}
        onChange={({ currentTarget: { checked } }) => set({ isClassicLight: checked })}
      />
      {conversion.isPending && <Notice tone="note">{texts.waiting}</Notice>}
      {rest && <Notice tone="err">{rest}</Notice>}
      <FormActions submitLabel={texts.verb} isBusy={conversion.isPending} onCancel={onClose} />
    </form>
  )
}
