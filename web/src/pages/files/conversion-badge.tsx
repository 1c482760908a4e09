import type { UserFile } from '@cairn/sdk'
import { IconClock, IconMinus, IconRefresh } from '@tabler/icons-react'
import { Badge } from '../../components/data/badge.tsx'
import { messages } from '../../messages/index.ts'

const texts = messages.files.conversion

type Conversion = NonNullable<UserFile['conversion']>

/** The status of a model's conversion. */
export function ConversionBadge({ conversion }: { conversion: Pick<Conversion, 'status'> | null }) {
  if (!conversion) return <Badge icon={IconMinus}>{texts.none}</Badge>
  const { status } = conversion
  if (status === 'COMPLETED') return <Badge tone="ok">{texts.COMPLETED}</Badge>
  if (status === 'FAILED') return <Badge tone="err">{texts.FAILED}</Badge>
  return (
    <Badge tone="note" icon={status === 'PENDING' ? IconClock : IconRefresh}>
      {texts[status]}
    </Badge>
  )
}
