import type { App, Cairn, MiniGameType } from '@cairn/sdk'
import { Group, Modal, NumberInput, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useForm } from '../../../components/feedback/use-form.ts'
import { messages } from '../../../messages/index.ts'

import { ruleFieldsOf, rulesOf, ScoreRules } from './score-rules.tsx'

const texts = messages.game.types
type Props = { app: App; cairn: Cairn; type: MiniGameType | undefined; isOpen: boolean; onClose: () => void }
const FIELDS = ['name', 'description', 'imageUrl', 'sortOrder', 'minScore', 'maxScore', 'timeZone']

/** Creates or edits a mini game. */
export function MiniGameForm({ isOpen, onClose, type, ...rest }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={type?.name ?? texts.new}>
      <Form key={type?.id ?? 'new'} type={type} onClose={onClose} {...rest} />
    </Modal>
  )
}

function Form({ app, cairn, type, onClose }: Omit<Props, 'isOpen'>) {
  const queries = useQueryClient()
  const [fields, setFields] = useState({
    name: type?.name ?? '',
    description: type?.description ?? '',
    imageUrl: type?.imageUrl ?? '',
    sortOrder: type?.sortOrder ?? 'desc',
    scoreMode: type?.scoreMode ?? 'best',
    ties: type?.ties ?? 'first',
    minScore: type?.minScore ?? '',
    maxScore: type?.maxScore ?? '',
    submittedBy: type?.submittedBy ?? 'server',
    timeZone: type?.timeZone ?? 'UTC',
    rules: ruleFieldsOf(type),
  })
  const set = (change: Partial<typeof fields>) => setFields({ ...fields, ...change })
  const save = useMutation({
    mutationFn: () => {
      const { sortOrder, scoreMode, ties, imageUrl, minScore, maxScore, rules, ...rest } = fields
      const body = {
        ...rest,
        imageUrl: imageUrl || null,
        minScore: minScore === '' ? null : Number(minScore),
        maxScore: maxScore === '' ? null : Number(maxScore),
        rules: rulesOf(rules, type),
      }
      return type
        ? cairn.miniGameTypes.update(type.id, body)
        : cairn.miniGameTypes.create({ ...body, sortOrder, scoreMode, ties })
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['types', app.id] })
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
      <Textarea
        label={texts.description}
        value={fields.description}
        error={wrong.description}
        onChange={({ currentTarget: { value } }) => set({ description: value })}
      />
      <TextInput
        label={texts.image}
        value={fields.imageUrl}
        error={wrong.imageUrl}
        onChange={({ currentTarget: { value } }) => set({ imageUrl: value })}
      />
      {!type && (
        <>
          <Choice
            label={texts.order}
            help={texts.orderHelp}
            labels={texts.orders}
            value={fields.sortOrder}
            onChange={(sortOrder) => set({ sortOrder })}
          />
          <Choice
            label={texts.mode}
            help={texts.orderHelp}
            labels={texts.modes}
            value={fields.scoreMode}
            onChange={(scoreMode) => set({ scoreMode })}
          />
          <Choice
            label={texts.ties}
            help={texts.orderHelp}
            labels={texts.tieOrders}
            value={fields.ties}
            onChange={(ties) => set({ ties })}
          />
        </>
      )}
      <Choice
        label={texts.submittedBy}
        labels={texts.submitters}
        value={fields.submittedBy}
        onChange={(submittedBy) => set({ submittedBy })}
      />
      <Group grow gap={12}>
        <NumberInput
          label={texts.lowest}
          value={fields.minScore}
          error={wrong.minScore}
          onChange={(minScore) => set({ minScore })}
        />
        <NumberInput
          label={texts.highest}
          value={fields.maxScore}
          error={wrong.maxScore}
          onChange={(maxScore) => set({ maxScore })}
        />
      </Group>
      <TextInput
        label={texts.timeZone}
        description={texts.timeZoneHelp}
        value={fields.timeZone}
        error={wrong.timeZone}
        onChange={({ currentTarget: { value } }) => set({ timeZone: value })}
      />
      <ScoreRules fields={fields.rules} onChange={(rules) => set({ rules })} />
      {rest && <Notice tone="err">{rest}</Notice>}
      <FormActions submitLabel={type ? texts.save : texts.make} isBusy={save.isPending} onCancel={onClose} />
    </form>
  )
}

type ChoiceProps<Value extends string> = {
  label: string
  help?: string
  /** In the order shown. */
  labels: Record<Value, string>
  value: Value
  onChange: (value: Value) => void
}

/** A labelled choice between a few values. */
function Choice<Value extends string>({ label, help, labels, value, onChange }: ChoiceProps<Value>) {
  return (
    <div>
      <span className="small dim">{label}</span>
      <div className="row wrap">
        <SegmentedControl
          aria-label={label}
          data={Object.entries<string>(labels).map(([one, text]) => ({ value: one as Value, label: text }))}
          value={value}
          onChange={onChange}
        />
        {help && <span className="faint small">{help}</span>}
      </div>
    </div>
  )
}
