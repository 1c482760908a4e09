import type { UserWithRoles } from '@cairn/sdk'
import { IconKey, IconTool } from '@tabler/icons-react'
import { Badge } from '../../components/data/badge.tsx'
import { messages } from '../../messages/index.ts'

/** The display name of a user. */
export const userLabel = ({ username, firstName, lastName, email }: UserWithRoles): string =>
  username ?? ([firstName, lastName].filter(Boolean).join(' ') || email) ?? messages.admin.users.noName

/** The effective roles of a user. */
export function RoleBadges({ roles }: { roles: UserWithRoles['roles'] }) {
  if (roles.length === 0) return <span className="faint">{messages.admin.users.noRole}</span>
  return (
    <span className="row wrap">
      {roles.map((role) => (
        <Badge key={role} tone={role === 'admin' ? 'note' : 'plain'} icon={role === 'admin' ? IconKey : IconTool}>
          {messages.admin.user[role]}
        </Badge>
      ))}
    </span>
  )
}
