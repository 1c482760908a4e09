import { useEffect, useRef } from 'react'
import { isLetterShortcut, isShortcutAllowed } from '../../shell/keyboard/keyboard-shortcuts.tsx'

/** L focuses the layers; Escape closes the selection. @param close null if nothing is selected */
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

/** Focuses the row of the selection, in the table if that shows it, or the first row. */
export function focusSelectedRow() {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')].filter((row) => row.checkVisibility())
  const row = rows.findLast((row) => row.getAttribute('aria-current') === 'true') ?? rows[0]
  row?.focus()
}
