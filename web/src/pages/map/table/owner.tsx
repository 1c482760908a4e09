import { useQuery } from '@tanstack/react-query'
import { messages } from '../../../messages/index.ts'
import { useCairn, useRoles, useSignedIn } from '../../../session/session.tsx'

const texts = messages.map.table

/** Who made a point: a name for ops, otherwise whether it is the user. */
export function Owner({ id }: { id: string | null }) {
  const { userId } = useSignedIn()
  if (id === null) return '–'
  return id === userId ? texts.you : <OtherUser id={id} />
}

function OtherUser({ id }: { id: string }) {
  const cairn = useCairn()
  const { isOps } = useRoles()
  const { data } = useQuery({
    queryKey: ['user', id],
    queryFn: ({ signal }) => cairn.users.get(id, { signal }),
    enabled: isOps,
    staleTime: 5 * 60_000,
    retry: false,
  })
  const { username, firstName, lastName, email } = data ?? {}
  return username ?? ([firstName, lastName].filter(Boolean).join(' ') || email) ?? texts.other
}
