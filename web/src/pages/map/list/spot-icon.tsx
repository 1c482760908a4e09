import { IconMapPin, IconPolygon, IconScan } from '@tabler/icons-react'
import type { Kind } from '../url-state.ts'
import classes from './list.module.css'

/** The icon of an item, as on the map. */
export function SpotIcon({ kind, tag, isBad }: { kind: Kind; tag?: number | null; isBad?: boolean }) {
  if (kind === 'gcp') return <span className={`${classes.tagMark} ${isBad ? classes.bad : ''}`}>{tag ?? '–'}</span>
  const Icon = { pin: IconMapPin, scan: IconScan, zone: IconPolygon }[kind]
  return (
    <span className={`${classes.mark} ${kind === 'zone' ? classes.zoneMark : ''}`}>
      <Icon size={18} stroke={1.75} aria-hidden />
    </span>
  )
}
