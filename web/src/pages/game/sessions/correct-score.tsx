import type { Cairn } from '@cairn/sdk'
import { Modal, NumberInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { formatNumber } from '../../../components/data/format.ts'
import { fieldErrors, formError, useFocusOnError } from '../../../components/feedback/field-errors.ts'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifySuccess } from '../../../components/feedback/notify.ts'
import { messages } from '../../../messages/index.ts'

const texts = messages.game.correction
/** The score that is corrected. */
export type WrittenScore = { sessionId: string; playerId: string; name: string; score: number }
type Props = { cairn: Cairn; of: WrittenScore | undefined; onClose: () => void; onDone: () => void }

/** Corrects a score of a session in any state. The audit log records it. */
export function CorrectScore({ of, onClose, ...rest }: Props) {
  return (
    <Modal opened={of !== undefined} onClose={onClose} title={of && texts.title(of.name)}>
      {of && <Form of={of} onClose={onClose} {...rest} />}
    </Modal>
  )
}

function Form({ cairn, of, onClose, onDone }: Props & { of: WrittenScore }) {
  const form = useRef<HTMLFormElement>(null)
  const { sessionId, playerId, name, score } = of
  const [next, setNext] = useState<string | number>(score)
  const correction = useMutation({
    mutationFn: () => cairn.gameSessions.correctScore(sessionId, playerId, Number(next)),
    onSuccess: ({ score: written }) => {
      notifySuccess(texts.done(name, formatNumber(written)))
      onClose()
      onDone()
    },
  })
  useFocusOnError(form, correction.error)
  const rest = formError(correction.error, ['score'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (next !== '') correction.mutate()
  }
  return (
    <form className="stack" ref={form} onSubmit={submit}>
      <p className="dim">{texts.text(formatNumber(score))}</p>
      <NumberInput
        data-autofocus
        label={texts.score}
        value={next}
        error={fieldErrors(correction.error).score}
        onChange={setNext}
        hideControls
      />
      {rest && <Notice tone="err">{rest}</Notice>}
      <FormActions submitLabel={texts.verb} isBusy={correction.isPending} onCancel={onClose} />
    </form>
  )
}
