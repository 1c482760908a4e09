import { IconAlertTriangle, IconCheck, IconClock, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './notice.module.css'

const ICONS = { ok: IconCheck, warn: IconClock, err: IconAlertTriangle, note: IconInfoCircle }

/** A notice with a bold title, text below it, and actions. */
export function Notice({
  tone,
  title,
  children,
  actions,
}: {
  tone: 'ok' | 'warn' | 'err' | 'note'
  title?: string
  children?: ReactNode
  actions?: ReactNode
}) {
  const Icon = ICONS[tone]
  return (
    <div className={`${classes.notice} ${classes[tone]}`} role={tone === 'err' ? 'alert' : undefined}>
      <Icon size={16} aria-hidden className={classes.icon} />
      <div className={`grow ${classes.text}`}>
        {title && <div className="strong">{title}</div>}
        {children}
      </div>
      {actions}
    </div>
  )
}
