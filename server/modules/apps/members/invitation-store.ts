import { type Kysely, sql } from 'kysely'
import type { AppRole } from '../../../platform/credentials/app-roles.ts'
import type { Actor, AuditLog } from '../../../platform/database/audit.ts'
import type { AnyTables } from '../../../platform/database/database.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { type AcceptedInvitation, type AppInvitation, MAX_INVITATIONS } from './member-schema.ts'
import { addMember, lockMembership } from './member-store.ts'

export type InvitationStore = ReturnType<typeof invitationStore>

type NewInvitation = { id: string; appId: string; role: AppRole; invitedBy: string; hash: Buffer }

const columns = sql`id, role, invited_by as "invitedBy", created_at as "createdAt", expires_at as "expiresAt"`
const isPending = sql`expires_at > clock_timestamp()`

/** The pending invitations of apps, in SQL. */
export function invitationStore(db: Kysely<AnyTables>, audit: AuditLog) {
  const note = (trx: Kysely<AnyTables>, actor: Actor, done: 'created' | 'revoked' | 'accepted', appId: string) =>
    audit.record([{ ...actor, action: `app_invitation.${done}`, subject: appId }], trx as never)

  return {
    /** Oldest first. */
    async list(appId: string): Promise<AppInvitation[]> {
      const { rows } = await sql<AppInvitation>`
        select ${columns} from app_invitations where app_id = ${appId} and ${isPending}
         order by created_at, id`.execute(db)
      return rows
    },

    /** @throws 404; 409 beyond 50 pending invitations */
    add: ({ id, appId, role, invitedBy, hash }: NewInvitation, actor: Actor): Promise<AppInvitation> =>
      db.transaction().execute(async (trx) => {
        await lockMembership(trx, appId, invitedBy)
        // The inviter may have left the app since the request was checked.
        const inviter = await sql`
          select from app_members where app_id = ${appId} and user_id = ${invitedBy} and role in ('owner', 'admin')
             and (role = 'owner' or ${role} <> 'owner')`.execute(trx)
        if (inviter.rows.length === 0) throw notFound('App')
        const pending = await sql<{ count: number }>`
          select count(*)::int as count from app_invitations where app_id = ${appId} and ${isPending}`.execute(trx)
        if (pending.rows[0]!.count >= MAX_INVITATIONS)
          throw conflict(`An app has at most ${MAX_INVITATIONS} pending invitations: revoke one first`)
        const { rows } = await sql<AppInvitation>`
          insert into app_invitations (id, app_id, role, hash, invited_by, created_at, expires_at)
          values (${id}, ${appId}, ${role}, ${hash}, ${invitedBy}, now(), now() + interval '7 days')
          returning ${columns}`.execute(trx)
        await note(trx, actor, 'created', appId)
        return rows[0]!
      }),

    /** @returns false if it is not pending */
    remove: (appId: string, id: string, actor: Actor): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const removed = await sql`
          delete from app_invitations where app_id = ${appId} and id = ${id} and ${isPending}`.execute(trx)
        if (Number(removed.numAffectedRows) === 0) return false
        await note(trx, actor, 'revoked', appId)
        return true
      }),

    /** Makes the user a member, once for each invitation. @throws 404 unless it is pending; 409 for a member, and beyond 100 members */
    accept: (hash: Buffer, userId: string, actor: Actor): Promise<AcceptedInvitation> =>
      db.transaction().execute(async (trx) => {
        const found = await sql<{ appId: string }>`
          select app_id as "appId" from app_invitations where hash = ${hash} and ${isPending}`.execute(trx)
        if (!found.rows[0]) throw notFound('Invitation')
        const { appId } = found.rows[0]
        await lockMembership(trx, appId, userId)
        const used = await sql<{ role: AppRole }>`
          delete from app_invitations where hash = ${hash} and ${isPending} returning role`.execute(trx)
        if (!used.rows[0]) throw notFound('Invitation')
        const { role } = used.rows[0]
        await addMember(trx, { appId, userId, role })
        await note(trx, actor, 'accepted', appId)
        return { appId, role }
      }),

    /** Deletes expired invitations. */
    removeExpired: async () => {
      await sql`delete from app_invitations where expires_at <= clock_timestamp()`.execute(db)
    },
  }
}
