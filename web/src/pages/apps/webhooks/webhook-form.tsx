import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useForm } from '../../../components/feedback/use-form.ts'
import { WebhookFieldInputs, type WebhookFields } from './webhook-fields.tsx'

type Props<Saved> = {
  appId: string
  initial: WebhookFields
  submitLabel: string
  save: (fields: Omit<WebhookFields, 'description'> & { description: string | null }) => Promise<Saved>
  onSaved: (saved: Saved) => void
  onCancel: () => void
}

/** The form to create or edit a webhook. */
export function WebhookForm<Saved>({ appId, initial, submitLabel, save, onSaved, onCancel }: Props<Saved>) {
  const queries = useQueryClient()
  const [fields, setFields] = useState(initial)
  const saving = useMutation({
    mutationFn: () => save({ ...fields, description: fields.description || null }),
    onSuccess: async (saved) => {
      onSaved(saved)
      await queries.invalidateQueries({ queryKey: ['hooks', appId] })
    },
  })
  const { form, wrong, rest } = useForm(saving, Object.keys(fields))
  return (
    <form className="stack" {...form} noValidate>
      {rest && <Notice tone="err" title={rest} />}
      <WebhookFieldInputs fields={fields} set={(change) => setFields({ ...fields, ...change })} wrong={wrong} />
      <FormActions submitLabel={submitLabel} isBusy={saving.isPending} onCancel={onCancel} />
    </form>
  )
}
