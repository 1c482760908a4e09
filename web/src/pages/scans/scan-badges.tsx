import type { Scan } from '@cairn/sdk'
import { IconClock, IconFileUnknown, IconRefresh } from '@tabler/icons-react'
import { Badge, badgeIcons } from '../../components/data/badge.tsx'
import { messages } from '../../messages/index.ts'

const { states, unreadable, visibility } = messages.scans

/** The title of a scan, or its file name. */
export const nameOf = ({ title, fileName }: Pick<Scan, 'title' | 'fileName'>): string => title ?? fileName

/** Whether the scan or its conversion is still being processed. */
export const isProcessing = ({ status, usdzStatus }: Scan): boolean =>
  status === 'PENDING' ||
  status === 'PROCESSING' ||
  (status === 'COMPLETED' && (usdzStatus === 'PENDING' || usdzStatus === 'PROCESSING'))

/** Whether the file is kept, but nothing could be read from it. */
export const isUnreadable = ({ status, fileType }: Scan): boolean => status === 'COMPLETED' && fileType === 'OTHER'

export function StatusBadge({ scan }: { scan: Scan }) {
  const { status } = scan
  if (isUnreadable(scan))
    return (
      <Badge tone="warn" icon={IconFileUnknown}>
        {unreadable}
      </Badge>
    )
  const text = states[status]
  if (status === 'COMPLETED') return <Badge tone="ok">{text}</Badge>
  if (status === 'FAILED') return <Badge tone="err">{text}</Badge>
  return (
    <Badge tone="note" icon={status === 'PENDING' ? IconClock : IconRefresh}>
      {text}
    </Badge>
  )
}

export const VisibilityBadge = ({ scan }: { scan: Scan }) => (
  <Badge icon={scan.visibility === 'public' ? badgeIcons.world : badgeIcons.lock}>{visibility[scan.visibility]}</Badge>
)
