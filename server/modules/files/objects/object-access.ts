import { hasOpsAccess } from '../../../platform/credentials/guards.ts'
import { notFound } from '../../../platform/errors.ts'

/**
 * Who may see the bytes of an object: null for everyone who knows its URL, otherwise these users and ops. `mayChange`:
 * the owner of a scan can change it.
 */
export type ObjectAccess = { owners: string[] | null; mayChange: boolean }

/** The caller, if known. */
export type Viewer = { id: string; roles: string[] } | undefined

/** A private object does not exist for others. @throws 404 */
export function assertCanView({ owners }: ObjectAccess, viewer: Viewer): void {
  if (!maySee({ owners }, viewer)) throw notFound('File')
}

export const maySee = ({ owners }: Pick<ObjectAccess, 'owners'>, viewer: Viewer): boolean =>
  owners === null || (viewer !== undefined && (owners.includes(viewer.id) || hasOpsAccess(viewer)))
