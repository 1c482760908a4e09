import { Button } from '@mantine/core'
import { useInterval, useNetwork } from '@mantine/hooks'
import { IconWifiOff } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { words } from '../messages/index.ts'
import { useSession } from '../session/session.tsx'
import classes from './shell.module.css'

const texts = words.states

/** A strip while the service does not answer: since when what is shown may be old, and when it is looked for next. */
export function Offline() {
  const { reach } = useSession()
  const { online } = useNetwork()
  const { lostAt, nextTryAt } = useSyncExternalStore(reach.subscribe, reach.now)
  const [seconds, setSeconds] = useState(0)
  const count = () => setSeconds(Math.max(0, Math.ceil((nextTryAt - Date.now()) / 1000)))
  useInterval(count, 1000, { autoInvoke: true })
  useEffect(count, [nextTryAt])
  useEffect(() => {
    if (!online) reach.missed()
    else if (reach.now().lostAt) reach.tryNow()
  }, [online, reach])
  if (!lostAt) return null
  return (
    <div className={classes.offline}>
      <IconWifiOff size={16} aria-hidden />
      <span role="status">
        <span className="strong">{online ? texts.unanswered : texts.offline}</span>{' '}
        <span className="dim">{texts.offlineText(lostAt.toLocaleTimeString())}</span>
      </span>
      <span className="dim num">{texts.nextTry(seconds)}</span>
      <Button size="xs" onClick={reach.tryNow}>
        {texts.tryNow}
      </Button>
    </div>
  )
}
