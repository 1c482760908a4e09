import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { messages } from '../../messages/index.ts'

const SHOWN_MS = 8000

/** Says what was done, and offers for eight seconds to undo it, or until the page is left. @param onUndo it was pressed @param onPassed it was not, and the offer is gone: what cannot be undone may be done now */
export function offerUndo(message: string, onUndo: () => void, onPassed: () => void = () => {}) {
  let isUndone = false
  const undo = () => {
    isUndone = true
    notifications.hide(id)
    onUndo()
  }
  const id = notifications.show({
    message: (
      <div className="row">
        <span className="grow">{message}</span>
        <Button size="xs" onClick={undo}>
          {messages.states.undo}
        </Button>
      </div>
    ),
    color: 'tarn',
    autoClose: SHOWN_MS,
    closeButtonProps: { 'aria-label': messages.states.close },
    onClose: () => {
      removeEventListener('pagehide', leave)
      if (!isUndone) onPassed()
    },
  })
  const leave = () => notifications.hide(id)
  addEventListener('pagehide', leave)
}
