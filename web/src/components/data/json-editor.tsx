import { CairnError } from '@cairn/sdk'
import { Button, Group, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { messages } from '../../messages/index.ts'
import { errorMessage } from '../feedback/failure.tsx'
import { Notice } from '../feedback/notice.tsx'
import classes from './json-editor.module.css'

const texts = messages.common.json

/** Why a text is not a JSON object; undefined if it is. */
function faultIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : texts.notAnObject
  } catch (error) {
    return (error as Error).message
  }
}

type Props = {
  label: string
  value: object
  saveLabel: string
  onSave: (value: object) => Promise<unknown>
  onCancel?: () => void
}

/** Edits a JSON object as text. Text that is not a JSON object is never sent. */
export function JsonEditor({ label, value, saveLabel, onSave, onCancel }: Props) {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2))
  const [fault, setFault] = useState<string>()
  const save = useMutation({ mutationFn: onSave })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = faultIn(text)
    setFault(found)
    if (found === undefined) save.mutate(JSON.parse(text))
  }
  const isChanged = save.error instanceof CairnError && save.error.status === 412
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <Textarea
        label={label}
        value={text}
        error={fault}
        autosize
        minRows={6}
        maxRows={24}
        spellCheck={false}
        classNames={{ input: classes.text ?? '' }}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {save.error && (
        <Notice tone="err" title={isChanged ? texts.changed : texts.notSaved}>
          {isChanged ? texts.changedText : errorMessage(save.error)}
        </Notice>
      )}
      <Group justify={onCancel ? 'flex-end' : 'flex-start'} gap={8}>
        {onCancel && <Button onClick={onCancel}>{messages.common.cancel}</Button>}
        <Button type="submit" variant="filled" loading={save.isPending}>
          {saveLabel}
        </Button>
      </Group>
    </form>
  )
}
