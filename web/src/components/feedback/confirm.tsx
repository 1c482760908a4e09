import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { messages } from '../../messages/index.ts'

type Props = {
  isOpen: boolean
  onClose: () => void
  title: string
  /** The verb with its object, such as "Delete Harbour Hunt". */
  verb: string
  /** What the action affects. */
  children?: ReactNode
  /** Text the user must type to confirm. */
  typeName?: string
  onConfirm: () => unknown
  isBusy?: boolean
}

/** Confirms a destructive action. Cancel has the initial focus. The confirm button is disabled while the action runs. */
export function Confirm({ isOpen, onClose, title, ...rest }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Question onClose={onClose} {...rest} />
    </Modal>
  )
}

/** Inside the dialog, so that closing it resets the typed text. */
function Question({ onClose, verb, children, typeName, onConfirm, isBusy }: Omit<Props, 'isOpen' | 'title'>) {
  const [typed, setTyped] = useState('')
  const [isGoing, setIsGoing] = useState(false)
  const mayGo = typeName === undefined || typed === typeName
  const confirm = async () => {
    setIsGoing(true)
    try {
      await onConfirm()
    } finally {
      setIsGoing(false)
    }
  }
  return (
    <div className="stack">
      {children}
      {typeName !== undefined && (
        <TextInput
          label={messages.common.typeName(typeName)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <Group justify="flex-end" gap={8}>
        <Button onClick={onClose} data-autofocus>
          {messages.common.cancel}
        </Button>
        <Button
          color="red"
          variant="outline"
          disabled={!mayGo}
          loading={isBusy || isGoing}
          onClick={() => void confirm()}
        >
          {verb}
        </Button>
      </Group>
    </div>
  )
}
