import { useInterval } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { messages } from '../../messages/index.ts'

/** Counts down to when the service takes requests again, and goes on by itself. For each wait it is made anew. */
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
  // It changes each second: read out once, where it stands in an alert, and then only when asked for.
  return (
    <span className="num" role="timer" aria-live="off">
      {messages.states.wait(left)}
    </span>
  )
}
