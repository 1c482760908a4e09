import { type FormEvent, useRef } from 'react'
import { fieldErrors, formError, useFocusOnError } from './field-errors.ts'

type Saving = { error: unknown; mutate: () => void }

/**
 * A form that is sent by a mutation. `form` has the properties of the form element, `wrong` the errors by field, and `rest`
 * the error that belongs to none of `fields`. After an error, the first invalid field has the focus.
 */
export function useForm(saving: Saving, fields: string[]) {
  const ref = useRef<HTMLFormElement>(null)
  useFocusOnError(ref, saving.error)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return { form: { ref, onSubmit }, wrong: fieldErrors(saving.error), rest: formError(saving.error, fields) }
}
