import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { words } from '../words/index.ts'

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

/** Asks before what cannot be undone. The safe button has the focus. */
export function Confirm({ isOpen, onClose, title, verb, children, typeName, onConfirm, isBusy }: Props) {
  const [typed, setTyped] = useState('')
  const mayGo = typeName === undefined || typed === typeName
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <div className="stack">
        {children}
        {typeName !== undefined && (
          <TextInput
            label={words.states.typeName(typeName)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose} data-autofocus>
            {words.states.cancel}
          </Button>
          <Button color="red" variant="outline" disabled={!mayGo} loading={isBusy} onClick={onConfirm}>
            {verb}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
