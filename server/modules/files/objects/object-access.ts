import { hasOpsAccess } from '../../../platform/credentials/guards.ts'
import { notFound } from '../../../platform/errors.ts'

/** Who may see the bytes of an object: null is whoever knows its address, else these users and ops. `mayChange`: the owner of a scan may decide otherwise. */
export type ObjectAccess = { owners: string[] | null; mayChange: boolean }

/** Who asks, if that is known. */
export type Viewer = { id: string; roles: string[] } | undefined

/** What is private is not there for anybody else. @throws 404 */
export function assertCanView({ owners }: ObjectAccess, viewer: Viewer): void {
  if (!maySee({ owners }, viewer)) throw notFound('File')
}

export const maySee = ({ owners }: Pick<ObjectAccess, 'owners'>, viewer: Viewer): boolean =>
  owners === null || (viewer !== undefined && (owners.includes(viewer.id) || hasOpsAccess(viewer)))
