import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { messages } from '../../messages/index.ts'

const SHOWN_MS = 8000

/**
 * Offers undo for eight seconds or until the page is left.
 * @param onUndo called on undo @param onPassed called when the offer expires, so that the action can become permanent
 * @param onLeft called instead if the page is left before
 */
export function offerUndo(
  message: string,
  onUndo: () => void,
  onPassed: () => void = () => {},
  onLeft: () => void = onPassed,
) {
  let isUndone = false
  let isLeft = false
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
          {messages.common.undo}
        </Button>
      </div>
    ),
    color: 'tarn',
    autoClose: SHOWN_MS,
    closeButtonProps: { 'aria-label': messages.common.close },
    onClose: () => {
      removeEventListener('pagehide', leave)
      if (isUndone) return
      if (isLeft) onLeft()
      else onPassed()
    },
  })
  const leave = () => {
    isLeft = true
    notifications.hide(id)
  }
  addEventListener('pagehide', leave)
}
