import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { messages } from '../../messages/index.ts'

type Props = {
  isOpen: boolean
  onClose: () => void
  title: string
  /** The verb with its object: "Delete Harbour Hunt". */
  verb: string
  /** What goes along, counted. */
  children?: ReactNode
  /** Where much goes along: it must be typed. */
  typeName?: string
  onConfirm: () => unknown
  isBusy?: boolean
}

/** Asks before what cannot be undone. The safe button has the focus. Pressed once, it is not to be pressed again until that is done. */
export function Confirm({ isOpen, onClose, title, ...rest }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Question onClose={onClose} {...rest} />
    </Modal>
  )
}

/** Inside of the dialog, so that what was typed goes with it. */
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
          label={messages.states.typeName(typeName)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <Group justify="flex-end" gap={8}>
        <Button onClick={onClose} data-autofocus>
          {messages.states.cancel}
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
