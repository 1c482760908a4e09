import { Badge } from '../../../components/data/badge.tsx'
import { messages } from '../../../messages/index.ts'
import type { Status } from '../search-params.ts'

const TONES = { PENDING: 'warn', DELIVERED: 'ok', FAILED: 'err' } as const

/** The status of a delivery. */
export const DeliveryStatus = ({ status }: { status: Status }) => (
  <Badge tone={TONES[status]}>{messages.app.deliveries.statuses[status]}</Badge>
)
