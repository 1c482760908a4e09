import { Select, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDebounced } from '../../../components/query/use-debounced.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { userLabel } from '../user-label.tsx'
import classes from './audit.module.css'
import { actionName } from './audit-words.tsx'

const texts = messages.admin.audit
export type AuditSearch = { actor?: string; action?: string; subject?: string; since?: string; until?: string }
type Props = { search: AuditSearch; onChange: (change: AuditSearch) => void }

/** The filters of the audit log. */
export function AuditFilters({ search, onChange }: Props) {
  const text = (name: 'subject' | 'since' | 'until') => ({
    label: texts[name],
    value: search[name] ?? '',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => onChange({ [name]: value }),
  })
  return (
    <search className={classes.filters} aria-label={texts.filter}>
      <ActorSelect actor={search.actor} onChange={(actor) => onChange({ actor })} />
      <ActionSelect action={search.action} onChange={(action) => onChange({ action })} />
      <TextInput data-find {...text('subject')} />
      <TextInput type="datetime-local" {...text('since')} />
      <TextInput type="datetime-local" {...text('until')} />
    </search>
  )
}

function ActionSelect({ action, onChange }: { action: string | undefined; onChange: (action: string) => void }) {
  const known = Object.keys(texts.actions)
  const all = action && !known.includes(action) ? [action, ...known] : known
  return (
    <Select
      label={texts.action}
      placeholder={texts.anyAction}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': messages.common.clear }}
      data={all.map((value) => ({ value, label: actionName(value) }))}
      value={action ?? null}
      onChange={(value) => onChange(value ?? '')}
    />
  )
}

const OPERATOR = { value: 'operator', label: texts.operator }

function ActorSelect({ actor, onChange }: { actor: string | undefined; onChange: (actor: string) => void }) {
  const cairn = useCairn()
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim())
  const { data: found = [] } = useQuery({
    queryKey: ['users', 'pick', search],
    queryFn: async ({ signal }) =>
      (await cairn.users.list({ ...(search && { search }), limit: 10 }, { signal }).first()).items,
    placeholderData: keepPreviousData,
  })
  const { data: chosen } = useQuery({
    queryKey: ['users', actor],
    queryFn: ({ signal }) => cairn.users.get(actor!, { signal }),
    enabled: actor !== undefined && actor !== OPERATOR.value && !actor.startsWith('app:'),
  })
  const options = new Map(
    [...found, ...(chosen ? [chosen] : [])].map((user) => [user.id, { value: user.id, label: userLabel(user) }]),
  )
  if (actor && actor !== OPERATOR.value && !options.has(actor))
    options.set(actor, { value: actor, label: actor.startsWith('app:') ? texts.app : actor })
  return (
    <Select
      label={texts.actor}
      placeholder={texts.anyActor}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': messages.common.clear }}
      data={[...options.values(), OPERATOR]}
      value={actor ?? null}
      onSearchChange={setTyped}
      onChange={(value) => onChange(value ?? '')}
    />
  )
}
