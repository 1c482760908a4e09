import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CopyableId } from '../../../components/copy/copy-button.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn, useRoles, useSignedIn } from '../../../session/session.tsx'
import { userLabel } from '../../admin/user-label.tsx'

/** A member of an app. The service names members by their user ID only; ops and admins of the service see the name. */
export function MemberName({ userId }: { userId: string }) {
  const cairn = useCairn()
  const { isOps } = useRoles()
  const self = useSignedIn()
  const { data: user } = useQuery({
    queryKey: ['users', userId],
    queryFn: ({ signal }) => cairn.users.get(userId, { signal }),
    enabled: isOps,
  })
  const isSelf = self.userId === userId
  if (user)
    return (
      <span className="row wrap">
        <Link to="/users/$userId" params={{ userId }}>
          {userLabel(user)}
        </Link>
        {isSelf && <span className="faint">{messages.app.members.you}</span>}
      </span>
    )
  return isSelf ? <span className="strong">{messages.app.members.you}</span> : <CopyableId value={userId} />
}
