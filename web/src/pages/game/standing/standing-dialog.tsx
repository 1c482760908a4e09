import type { App, Cairn, Player } from '@cairn/sdk'
import { Button, Group, Modal, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { errorMessage } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { messages } from '../../../messages/index.ts'
import { type Standing, useStanding } from './use-standing.ts'

const texts = messages.game.standing
/** The players and the standing that they get. */
export type StandingChange = { players: Player[]; to: Standing }
type Props = { app: App; cairn: Cairn; change: StandingChange | undefined; onClose: (isDone: boolean) => void }

/** Asks for a reason, then hides, bans or restores players. It can be undone for eight seconds. */
export function StandingDialog({ change, onClose, ...rest }: Props) {
  return (
    <Modal
      opened={change !== undefined}
      onClose={() => onClose(false)}
      title={change && texts.titles[change.to](whoOf(change))}
    >
      {change && <Form change={change} onClose={onClose} {...rest} />}
    </Modal>
  )
}

const whoOf = ({ players }: StandingChange): string =>
  players.length === 1 ? players[0]!.displayName : texts.players(players.length)

function Form({ app, cairn, change, onClose }: Props & { change: StandingChange }) {
  const { to } = change
  const [note, setNote] = useState('')
  const setStanding = useStanding(app, cairn)
  const setting = useMutation({
    mutationFn: () => setStanding(change.players, to, note.trim() || null),
    onSuccess: () => onClose(true),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setting.mutate()
  }
  return (
    <form className="stack" onSubmit={submit}>
      <p className="dim">{texts.texts[to]}</p>
      {to !== 'normal' && (
        <Textarea
          label={texts.reason}
          description={texts.reasonHelp}
          value={note}
          maxLength={500}
          data-autofocus
          onChange={({ currentTarget: { value } }) => setNote(value)}
        />
      )}
      {setting.error && <Notice tone="err">{errorMessage(setting.error)}</Notice>}
      <Group justify="flex-end" gap={8}>
        <Button onClick={() => onClose(false)}>{messages.common.cancel}</Button>
        <Button
          type="submit"
          {...(to === 'normal' ? { variant: 'filled' } : { color: 'red', variant: 'outline' })}
          loading={setting.isPending}
        >
          {texts.verbs[to](whoOf(change))}
        </Button>
      </Group>
    </form>
  )
}
