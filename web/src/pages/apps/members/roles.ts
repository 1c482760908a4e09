import type { AppRole } from '@cairn/sdk'
import { messages } from '../../../messages/index.ts'

const ROLES: AppRole[] = ['owner', 'admin', 'developer', 'moderator', 'viewer']

/** The roles for a select field. Each includes the ones after it. */
export const ROLE_CHOICES = ROLES.map((value) => ({ value, label: messages.app.members.roles[value] }))
