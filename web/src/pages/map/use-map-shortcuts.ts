import { useEffect, useRef } from 'react'
import { isLetterShortcut, isShortcutAllowed } from '../../shell/keyboard/keyboard-shortcuts.tsx'

/** L goes to the layers; Escape closes what is selected. @param close null: nothing is to be closed */
export function useMapShortcuts(close: (() => void) | null) {
  const now = useRef(close)
  now.current = close
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isLetterShortcut(event) && event.key.toLowerCase() === 'l')
        document.querySelector<HTMLElement>('#map-layers button')?.focus()
      if (isShortcutAllowed(event) && event.key === 'Escape') now.current?.()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** To the row of what is selected, before that is closed; to the first one where the list does not hold it. */
export function focusSelectedRow() {
  const row = document.querySelector('[data-row][aria-current="true"]') ?? document.querySelector('[data-row]')
  if (row instanceof HTMLElement) row.focus()
}
