import { SegmentedControl } from '@mantine/core'
import { messages } from '../../messages/index.ts'

/** In seconds. */
export const DEFAULT_GRACE_SECONDS = 259_200
const CHOICES = Object.entries(messages.app.key.graces).map(([value, label]) => ({ value, label }))

/** Selects how long a replaced key or secret keeps working. */
export const GracePeriod = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: number
  onChange: (seconds: number) => void
}) => (
  <div>
    <div className="small strong dim" aria-hidden>
      {label}
    </div>
    <SegmentedControl
      aria-label={label}
      data={CHOICES}
      value={String(value)}
      onChange={(next) => onChange(Number(next))}
    />
  </div>
)
