import { useQuery } from '@tanstack/react-query'
import { loadSettings } from '../session/console-settings.ts'
import { useRoles } from '../session/session.tsx'
import { boxPages } from './nav-items.ts'

/** Whether people sign in with accounts of this service. */
export function useHasAccounts(): boolean {
  const { data } = useQuery({ queryKey: ['settings'], queryFn: loadSettings })
  return data?.signIn?.isBox ?? false
}

/** The administration pages that the user may see. */
export function useBoxPages() {
  const { isAdmin, isOps } = useRoles()
  const hasAccounts = useHasAccounts()
  const maySee: Record<string, boolean> = { all: true, ops: isOps, admin: isAdmin }
  return boxPages.filter((page) => maySee[page.isFor] && (hasAccounts || !('needsAccounts' in page)))
}
