import { Button } from '@mantine/core'
import { useInterval, useNetwork } from '@mantine/hooks'
import { IconWifiOff } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { currentLocale } from '../language/language.ts'
import { messages } from '../messages/index.ts'
import { useSession } from '../session/session.tsx'
import classes from './shell.module.css'

const texts = messages.common

/** Shown while the service does not answer, with the time of the next retry. */
export function OfflineBanner() {
  const { connectivity } = useSession()
  const { online } = useNetwork()
  const { offlineSince, nextRetryAt } = useSyncExternalStore(connectivity.subscribe, connectivity.getState)
  const [seconds, setSeconds] = useState(0)
  const count = () => setSeconds(Math.max(0, Math.ceil((nextRetryAt - Date.now()) / 1000)))
  useInterval(count, 1000, { autoInvoke: true })
  useEffect(count, [nextRetryAt])
  useEffect(() => {
    if (!online) connectivity.reportFailure()
    else if (connectivity.getState().offlineSince) connectivity.retryNow()
  }, [online, connectivity])
  if (!offlineSince) return null
  return (
    <div className={classes.offline}>
      <IconWifiOff size={16} aria-hidden />
      <span role="status">
        <span className="strong">{online ? texts.unanswered : texts.offline}</span>{' '}
        <span className="dim">{texts.offlineText(offlineSince.toLocaleTimeString(currentLocale()))}</span>
      </span>
      <span className="dim num">{texts.nextTry(seconds)}</span>
      <Button size="xs" onClick={connectivity.retryNow}>
        {texts.retryNow}
      </Button>
    </div>
  )
}
