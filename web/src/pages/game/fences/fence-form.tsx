import type { App, Cairn, Fence } from '@cairn/sdk'
import { Checkbox, Modal, NumberInput, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useDraft } from '../../../components/feedback/use-draft.ts'
import { useForm } from '../../../components/feedback/use-form.ts'
import { messages } from '../../../messages/index.ts'
import { type CheckInFields, CheckInRule, checkInFieldsOf, checkInOf } from './check-in-rule.tsx'

const texts = messages.game.fences
const FIELDS = ['name', 'zoneId', 'pinId', 'radius', 'dwellSeconds']
type Props = { app: App; cairn: Cairn; fence: Fence | undefined; onClose: () => void }

/** Creates a fence, or changes one. Its place stays. */
export function FenceForm({ isOpen, onClose, fence, ...rest }: Props & { isOpen: boolean }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={fence ? fence.name : texts.new}>
      <Form key={fence?.id ?? 'new'} fence={fence} onClose={onClose} {...rest} />
    </Modal>
  )
}

type Fields = {
  name: string
  kind: 'zone' | 'pin'
  zoneId: string | null
  pinId: string | number
  radius: string | number
  dwellSeconds: string | number
  listed: boolean
  checkIn: CheckInFields
}

function Form({ app, cairn, fence, onClose }: Props) {
  const queries = useQueryClient()
  const { fields, set } = useDraft<Fields>({
    name: fence?.name ?? '',
    kind: 'zone',
    zoneId: null,
    pinId: '',
    radius: fence?.radius ?? 25,
    dwellSeconds: fence?.dwellSeconds ?? '',
    listed: fence?.listed ?? false,
    checkIn: checkInFieldsOf(fence),
  })
  const isCircle = fence ? fence.radius !== null : fields.kind === 'pin'
  const save = useMutation({
    mutationFn: () => {
      const { name, kind, zoneId, pinId, radius, dwellSeconds, listed, checkIn } = fields
      const body = {
        name,
        listed,
        dwellSeconds: dwellSeconds === '' ? null : Number(dwellSeconds),
        checkIn: checkInOf(checkIn, fence),
        ...(isCircle ? { radius: Number(radius) } : {}),
      }
      if (fence) return cairn.fences.update(fence.id, body)
      return cairn.fences.create({
        ...body,
        ...(kind === 'zone' ? { zoneId: Number(zoneId) } : { pinId: Number(pinId) }),
      })
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['fences', app.id] })
      onClose()
    },
  })
  const { form, wrong, rest } = useForm(save, FIELDS)
  return (
    <form className="stack" {...form}>
      <TextInput
        data-autofocus
        required
        label={texts.name}
        value={fields.name}
        error={wrong.name}
        onChange={({ currentTarget: { value } }) => set({ name: value })}
      />
      {!fence && (
        <>
          <SegmentedControl
            aria-label={texts.place}
            data={Object.entries(texts.kinds).map(([value, label]) => ({ value, label }))}
            value={fields.kind}
            onChange={(kind) => set({ kind: kind as Fields['kind'] })}
          />
          {fields.kind === 'zone' ? (
            <ZoneSelect
              value={fields.zoneId}
              error={wrong.zoneId}
              onChange={(zoneId) => set({ zoneId })}
              cairn={cairn}
            />
          ) : (
            <NumberInput
              required
              label={texts.pinId}
              description={texts.pinHelp}
              value={fields.pinId}
              error={wrong.pinId}
              onChange={(pinId) => set({ pinId })}
              hideControls
              thousandSeparator={false}
            />
          )}
        </>
      )}
      {isCircle && (
        <NumberInput
          required
          label={texts.radius}
          value={fields.radius}
          error={wrong.radius}
          onChange={(radius) => set({ radius })}
          min={1}
        />
      )}
      <NumberInput
        label={texts.dwellField}
        description={texts.dwellHelp}
        value={fields.dwellSeconds}
        error={wrong.dwellSeconds}
        onChange={(dwellSeconds) => set({ dwellSeconds })}
        min={1}
      />
      <Checkbox
        label={texts.listed}
        description={texts.listedHelp}
        checked={fields.listed}
        onChange={({ currentTarget: { checked } }) => set({ listed: checked })}
      />
      <CheckInRule fields={fields.checkIn} onChange={(checkIn) => set({ checkIn })} />
      {rest && <Notice tone="err">{rest}</Notice>}
      <FormActions submitLabel={fence ? texts.save : texts.make} isBusy={save.isPending} onCancel={onClose} />
    </form>
  )
}

type ZoneProps = {
  cairn: Cairn
  value: string | null
  error: string | undefined
  onChange: (id: string | null) => void
}

function ZoneSelect({ cairn, value, error, onChange }: ZoneProps) {
  const { data: zones = [] } = useQuery({
    queryKey: ['zones', 'pick'],
    queryFn: async ({ signal }) => (await cairn.zones.list({ limit: 500 }, { signal }).first()).items,
  })
  return (
    <Select
      required
      searchable
      label={texts.zone}
      data={zones.map(({ id, title }) => ({ value: String(id), label: title }))}
      value={value}
      error={error}
      onChange={onChange}
    />
  )
}
