import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { formError, useFocusOnError } from '../../../components/feedback/field-errors.ts'
import { messages } from '../../../messages/index.ts'
import classes from './editor.module.css'

type Props = {
  title: string
  verb: string
  /** The error of the request, and the fields that display their own errors. */
  error: unknown
  fields: string[]
  isBusy: boolean
  onSubmit: () => void
  onCancel: () => void
  children: ReactNode
}

/** The frame of an editor form, shown in place of the list. */
export function EditorForm({ title, verb, error, fields, isBusy, onSubmit, onCancel, children }: Props) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input')?.focus()
  }, [])
  useFocusOnError(form, error)
  const rest = formError(error, fields)
  return (
    <form
      ref={form}
      className={classes.form}
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <div className="row">
        <h2 className="grow">{title}</h2>
        <ActionIcon size={28} aria-label={messages.common.cancel} onClick={onCancel}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </div>
      {children}
      {rest && (
        <p role="alert" className={classes.refusal}>
          {rest}
        </p>
      )}
      <div className={classes.formFoot}>
        <Button type="submit" variant="filled" loading={isBusy}>
          {verb}
        </Button>
        <Button onClick={onCancel}>{messages.common.cancel}</Button>
      </div>
    </form>
  )
}
