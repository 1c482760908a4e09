import { useNetwork } from '@mantine/hooks'
import { IconWifiOff } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { words } from '../words/index.ts'
import classes from './shell.module.css'

/** A strip that says since when what is shown may be old. */
export function Offline() {
  const { online } = useNetwork()
  const [since, setSince] = useState<Date | null>(null)
  useEffect(() => setSince(online ? null : new Date()), [online])
  if (online || !since) return null
  return (
    <div className={classes.offline} role="status">
      <IconWifiOff size={16} aria-hidden />
      <span className="strong">{words.states.offline}</span>
      <span className="dim">{words.states.offlineText(since.toLocaleTimeString())}</span>
    </div>
  )
}
