import type { TimelineEntry } from '@cairn/sdk'
import {
  IconCheck,
  IconClock,
  IconClockPlay,
  IconMapPin,
  IconPencil,
  IconTrophy,
  IconUserPlus,
  IconX,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'

type Icon = ComponentType<{ size?: number; 'aria-hidden'?: boolean }>

const ICONS: Record<TimelineEntry['kind'], Icon> = {
  created: IconUserPlus,
  joined: IconClockPlay,
  score: IconTrophy,
  held: IconClock,
  reviewed: IconCheck,
  checkIn: IconMapPin,
  change: IconPencil,
}

/** The sign of an entry. What waits or was rejected stands out. */
export function iconOf({ kind, state }: TimelineEntry): { icon: Icon; tone?: 'warn' | 'err' } {
  if (kind === 'held') return { icon: IconClock, tone: 'warn' }
  if (state === 'rejected') return { icon: IconX, tone: 'err' }
  if (state === 'held') return { icon: IconClock, tone: 'warn' }
  return { icon: ICONS[kind] }
}
