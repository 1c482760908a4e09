import { Modal, Switch } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { notifySuccess } from '../../components/feedback/notify.ts'
import { messages } from '../../messages/index.ts'
import { useCurrentApp } from '../current-app.tsx'
import { appPages, placePages } from '../nav-items.ts'
import { createStore, useStore } from '../store.ts'
import classes from './keyboard-shortcuts.module.css'

const texts = messages.shell.keyList
const OFF_STORAGE_KEY = 'cairn-single-keys-off'
/** How long after G a letter navigates. */
const GO_MS = 1500

const shown = createStore(false)
export const openShortcuts = () => shown.set(true)

/** Whether a key press may trigger a shortcut: not in fields, under dialogs or with modifiers. */
export const isShortcutAllowed = (event: KeyboardEvent): boolean => {
  const target = event.target as HTMLElement
  const isTyping = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
  const isUnderDialog = document.querySelector('[role="dialog"]') !== null
  const isChord = event.ctrlKey || event.metaKey || event.altKey
  return !isTyping && !isUnderDialog && !isChord
}

/** Whether single-letter shortcuts are allowed and enabled. Users can turn them off (WCAG 2.1.4). */
export const isLetterShortcut = (event: KeyboardEvent): boolean =>
  isShortcutAllowed(event) && localStorage.getItem(OFF_STORAGE_KEY) === null

/** The global shortcuts and their help. Pages add their own. `/` focuses `[data-find]`; J and K move through `[data-row]`. */
export function KeyboardShortcuts() {
  const navigate = useNavigate()
  const { app } = useCurrentApp()
  const isOpen = useStore(shown)

  useEffect(() => {
    let goUntil = 0
    const press = (event: KeyboardEvent) => {
      if (!isLetterShortcut(event)) return
      const key = event.key.toLowerCase()
      // The time of the key press, not of its handling on a busy page.
      if (event.timeStamp < goUntil) {
        goUntil = 0
        const page = appPages.find((one) => 'key' in one && one.key === key)
        if (page && app) void navigate({ to: page.to, params: { appId: app.id } })
        const place = placePages.find((one) => 'key' in one && one.key === key)
        if (place) void navigate({ to: place.to })
        return
      }
      if (key === 'g') goUntil = event.timeStamp + GO_MS
      else if (key === '?') openShortcuts()
      else if (key === '/') {
        const field = document.querySelector<HTMLInputElement>('[data-find]')
        if (!field) return
        event.preventDefault()
        field.focus()
      } else if (key === 'c') copyId()
      else if (key === 'j' || key === 'k') walkRows(key === 'j' ? 1 : -1)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [app, navigate])

  return (
    <Modal opened={isOpen} onClose={() => shown.set(false)} title={texts.title} size="md">
      <KeyList />
    </Modal>
  )
}

/** Copies the ID in the focused row, or the first one on the page. */
function copyId() {
  const row = document.activeElement?.closest('tr, li')
  const id = (row?.querySelector('[data-copy-id]') ?? document.querySelector('[data-copy-id]'))?.textContent
  if (!id) return
  void navigator.clipboard.writeText(id).then(() => notifySuccess(messages.common.idCopied(id)))
}

function walkRows(step: number) {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.findIndex((row) => row === document.activeElement || row.contains(document.activeElement))
  rows[Math.min(rows.length - 1, Math.max(0, at + step))]?.focus()
}

const LIST: [keys: string[], what: string][] = [
  [['Ctrl', 'K'], texts.jump],
  [['/'], texts.find],
  [['?'], texts.all],
  [['G', 'A P B M I F'], texts.goTo],
  [['J', 'K'], texts.rows],
  [['Enter'], texts.open],
  [['Esc'], texts.close],
  [['C'], texts.copy],
  [['H'], texts.hold],
  [['[', ']'], texts.boards],
  [['+', '−', '← ↑ → ↓'], texts.map],
  [['L'], texts.layers],
]

function KeyList() {
  const [isOn, setIsOn] = useState(() => localStorage.getItem(OFF_STORAGE_KEY) === null)
  const change = (on: boolean) => {
    if (on) localStorage.removeItem(OFF_STORAGE_KEY)
    else localStorage.setItem(OFF_STORAGE_KEY, 'off')
    setIsOn(on)
  }
  return (
    <>
      <dl className={classes.list}>
        {LIST.map(([keys, what]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Switch mt={16} label={texts.single} checked={isOn} onChange={(event) => change(event.currentTarget.checked)} />
    </>
  )
}
