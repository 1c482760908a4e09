import type { AuditEntry } from '@cairn/sdk'
import { formatNumber } from '../../../components/data/format.ts'
import { messages } from '../../../messages/index.ts'

const texts = messages.admin.audit

/** An action in words; one that this console does not know as it is. */
export const actionName = (action: string): string => texts.actions[action] ?? action

/** Who did it, in words. */
export function auditActor(actor: string, name: string | null): string {
  if (actor === 'operator') return texts.operator
  if (actor === 'service') return texts.service
  return actor.startsWith('app:') ? texts.app : (name ?? `${actor.slice(0, 8)}…`)
}

/** What changed, by name, with the value before and after. */
export const AuditChanges = ({ changes }: { changes: NonNullable<AuditEntry['changes']> }) => (
  <>
    {Object.entries(changes).map(([name, { from, to }]) => (
      <div key={name}>{texts.change(texts.names[name] ?? name, shown(from), shown(to))}</div>
    ))}
  </>
)

const shown = (value: string | number | boolean | null): string =>
  value === null ? texts.nothing : typeof value === 'number' ? formatNumber(value) : String(value)
