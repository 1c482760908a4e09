import { type KeyboardEvent, useEffect, useRef } from 'react'

/** Enter opens the result chosen with the arrows, otherwise the first; before the results of what is typed are there, once they are. */
export function useEnter({ query, isSettled }: { query: string; isSettled: boolean }) {
  /** The palette in which Enter was pressed for this query. */
  const pressed = useRef<{ query: string; dialog: Element }>(undefined)
  const isChosen = useRef(false)
  // After each render: the results are on the page then.
  useEffect(() => {
    if (!pressed.current || !isSettled) return
    const { query: asked, dialog } = pressed.current
    pressed.current = undefined
    if (asked === query && dialog.isConnected) openFirst(dialog)
  })
  return (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, currentTarget, nativeEvent } = event
    pressed.current = undefined
    if (key !== 'Enter') {
      isChosen.current = key === 'ArrowDown' || key === 'ArrowUp'
      return
    }
    const dialog = currentTarget.closest('[role="dialog"]')
    if (!dialog || isChosen.current || nativeEvent.isComposing) return
    // The palette selects the first result by itself, even one of an earlier query.
    event.stopPropagation()
    event.preventDefault()
    if (isSettled) openFirst(dialog)
    else pressed.current = { query, dialog }
  }
}

const openFirst = (dialog: Element) => dialog.querySelector<HTMLElement>('[data-action]')?.click()
