import { useInterval } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { messages } from '../../messages/index.ts'

/** Counts down the seconds until a retry, then calls `onOver`. Use a new `key` for each wait. */
export function RetryCountdown({ seconds, onOver }: { seconds: number; onOver?: (() => void) | undefined }) {
  const [overAt] = useState(() => Date.now() + seconds * 1000)
  const [left, setLeft] = useState(seconds)
  useInterval(() => setLeft(Math.max(0, Math.ceil((overAt - Date.now()) / 1000))), 250, { autoInvoke: true })
  const isOver = left === 0
  const goOn = useRef(onOver)
  goOn.current = onOver
  useEffect(() => {
    if (isOver) goOn.current?.()
  }, [isOver])
  // The text changes every second, so screen readers must not announce each change.
  return (
    <span className="num" role="timer" aria-live="off">
      {messages.common.wait(left)}
    </span>
  )
}
