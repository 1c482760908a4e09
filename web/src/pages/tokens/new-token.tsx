import type { CreatedPersonalToken } from '@cairn/sdk'
import { Button, Group, Modal, Radio, Select, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { SecretField } from '../../components/copy/secret-field.tsx'
import { fieldErrors, formError, useFocusOnError } from '../../components/feedback/field-errors.ts'
import { FormActions } from '../../components/feedback/form-actions.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'

const texts = messages.tokens
const SCOPES = ['read', 'write'] as const
const LIFETIMES = Object.entries(texts.lifetimes).map(([value, label]) => ({ value, label }))

/** Creates a personal token, then shows it this once. */
export function NewToken({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [made, setMade] = useState<CreatedPersonalToken>()
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={() => setMade(undefined)}
      title={made ? texts.created(made.name) : texts.new}
    >
      {made ? (
        <div className="stack">
          <p className="dim">{texts.once}</p>
          <SecretField value={made.token} what={texts.what} isOpen />
          <p className="small dim">{texts.use}</p>
          <Group justify="flex-end">
            <Button variant="filled" onClick={onClose}>
              {texts.done}
            </Button>
          </Group>
        </div>
      ) : (
        <TokenForm onMade={setMade} onCancel={onClose} />
      )}
    </Modal>
  )
}

function TokenForm({ onMade, onCancel }: { onMade: (token: CreatedPersonalToken) => void; onCancel: () => void }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [name, setName] = useState('')
  const [scope, setScope] = useState<(typeof SCOPES)[number]>('read')
  const [lifetime, setLifetime] = useState('90')
  const creation = useMutation({
    mutationFn: () => cairn.user.tokens.create({ name, scope, lifetimeDays: Number(lifetime) }),
    onSuccess: async (token) => {
      onMade(token)
      await queries.invalidateQueries({ queryKey: ['tokens'] })
    },
  })
  useFocusOnError(form, creation.error)
  const rest = formError(creation.error, ['name'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creation.mutate()
  }
  return (
    <form className="stack" ref={form} onSubmit={submit} noValidate>
      {rest && <Notice tone="err" title={rest} />}
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        required
        data-autofocus
        value={name}
        error={creation.error && name === '' ? messages.common.needed : fieldErrors(creation.error).name}
        onChange={(event) => {
          setName(event.currentTarget.value)
          creation.reset()
        }}
      />
      <Radio.Group label={texts.scope} value={scope} onChange={(next) => setScope(next as typeof scope)}>
        <div className="stack">
          {SCOPES.map((one) => (
            <Radio key={one} value={one} label={texts.scopes[one]} description={texts.scopeTexts[one]} />
          ))}
        </div>
      </Radio.Group>
      <Select
        label={texts.lifetime}
        data={LIFETIMES}
        value={lifetime}
        onChange={(value) => value && setLifetime(value)}
        allowDeselect={false}
      />
      <FormActions submitLabel={texts.create} isBusy={creation.isPending} onCancel={onCancel} />
    </form>
  )
}
