import {
  IconAlertTriangle,
  IconCheck,
  IconClock,
  IconInfoCircle,
  IconLock,
  IconWorld,
  IconX,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import classes from './badge.module.css'

export type Tone = 'ok' | 'warn' | 'err' | 'note' | 'plain'
type Icon = ComponentType<{ size?: number; 'aria-hidden'?: boolean }>

const ICONS: Record<Tone, Icon> = {
  ok: IconCheck,
  warn: IconClock,
  err: IconX,
  note: IconInfoCircle,
  plain: IconInfoCircle,
}

/** A status as an icon, a word and a colour. Never relies on colour alone. */
export function Badge({ tone = 'plain', icon, children }: { tone?: Tone; icon?: Icon; children: string }) {
  const Icon = icon ?? ICONS[tone]
  return (
    <span className={`${classes.badge} ${classes[tone]}`}>
      <Icon size={13} aria-hidden /> {children}
    </span>
  )
}

export const badgeIcons = { lock: IconLock, world: IconWorld, alert: IconAlertTriangle }
