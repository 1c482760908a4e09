import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { fieldErrors, formError, useFocusOnError } from '../../../components/feedback/field-errors.ts'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
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
  const form = useRef<HTMLFormElement>(null)
  const [fields, setFields] = useState(initial)
  const saving = useMutation({
    mutationFn: () => save({ ...fields, description: fields.description || null }),
    onSuccess: async (saved) => {
      onSaved(saved)
      await queries.invalidateQueries({ queryKey: ['hooks', appId] })
    },
  })
  useFocusOnError(form, saving.error)
  const rest = formError(saving.error, Object.keys(fields))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <form className="stack" ref={form} onSubmit={submit} noValidate>
      {rest && <Notice tone="err" title={rest} />}
      <WebhookFieldInputs
        fields={fields}
        set={(change) => setFields({ ...fields, ...change })}
        wrong={fieldErrors(saving.error)}
      />
      <FormActions submitLabel={submitLabel} isBusy={saving.isPending} onCancel={onCancel} />
    </form>
  )
}
