import { useQuery } from '@tanstack/react-query'
import { messages } from '../../../messages/index.ts'
import { useCairn, useRoles, useSignedIn } from '../../../session/session.tsx'

const texts = messages.map.table

/** Who made a point: a name for ops, otherwise whether it is the user. */
export function Owner({ id }: { id: string | null }) {
  const cairn = useCairn()
  const { userId } = useSignedIn()
  const { isOps } = useRoles()
  const isOther = id !== null && id !== userId
  const { data } = useQuery({
    queryKey: ['user', id],
    queryFn: ({ signal }) => cairn.users.get(id!, { signal }),
    enabled: isOther && isOps,
    staleTime: 5 * 60_000,
    retry: false,
  })
  if (!isOther) return id === null ? '–' : texts.you
  const { username, firstName, lastName, email } = data ?? {}
  return username ?? ([firstName, lastName].filter(Boolean).join(' ') || email) ?? texts.other
}
