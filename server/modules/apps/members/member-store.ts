import { type Kysely, sql } from 'kysely'
import type { AppRole } from '../../../platform/credentials/app-roles.ts'
import type { Actor, AuditLog } from '../../../platform/database/audit.ts'
import type { AnyTables } from '../../../platform/database/database.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { type AppMember, MAX_MEMBERS } from './member-schema.ts'

type Trx = Kysely<AnyTables>
export type MemberStore = ReturnType<typeof memberStore>

/** What an added member is: the app, the user and the role. */
type Membership = { appId: string; userId: string; role: AppRole }

/** Adds a member. Lock the app first. @throws 409 for a member, and beyond 100 members */
export async function addMember(trx: Trx, { appId, userId, role }: Membership): Promise<void> {
  const { rows } = await sql<{ count: number; has: boolean }>`
    select count(*)::int as count, coalesce(bool_or(user_id = ${userId}), false) as has
      from app_members where app_id = ${appId}`.execute(trx)
  if (rows[0]!.has) throw conflict('This user is a member of the app already: change the role instead')
  if (rows[0]!.count >= MAX_MEMBERS) throw conflict(`An app has at most ${MAX_MEMBERS} members: remove one first`)
  await sql`insert into app_members (app_id, user_id, role) values (${appId}, ${userId}, ${role})`.execute(trx)
}

/** Locks the user, then the app, in the order of an erasure. @throws 404 if one is gone */
export async function lockMembership(trx: Trx, appId: string, userId: string): Promise<void> {
  const users = await sql`select from users where id = ${userId} for key share`.execute(trx)
  if (users.rows.length === 0) throw notFound('User')
  const apps = await sql`
    select from apps where id = ${appId} and deleted_at is null for no key update`.execute(trx)
  if (apps.rows.length === 0) throw notFound('App')
}

/** The members of apps, in SQL. Changes of an app's members happen one at a time. */
export function memberStore(db: Kysely<AnyTables>, audit: AuditLog) {
  const read = async (appId: string, userId: string | null): Promise<AppMember[]> => {
    const { rows } = await sql<AppMember>`
      select m.user_id as "userId", m.role, m.created_at as "createdAt"
        from app_members m
       where m.app_id = ${appId} and (${userId}::uuid is null or m.user_id = ${userId}::uuid)
       order by m.created_at, m.user_id`.execute(db)
    return rows
  }

  const note = (trx: Trx, actor: Actor, done: 'added' | 'changed' | 'removed', appId: string, userId: string) =>
    audit.record([{ ...actor, action: `app_member.${done}`, subject: `${appId}/${userId}` }], trx as never)

  /** @param to the new role, or null to remove the member @returns the role before */
  const change = (appId: string, userId: string, to: AppRole | null, may: (role: AppRole) => void, actor: Actor) =>
    db.transaction().execute(async (trx) => {
      await lockMembership(trx, appId, userId)
      const { rows } = await sql<{ userId: string; role: AppRole }>`
        select user_id as "userId", role from app_members
         where app_id = ${appId} and (user_id = ${userId} or role = 'owner')`.execute(trx)
      const member = rows.find((row) => row.userId === userId)
      if (!member) throw notFound('Member')
      may(member.role)
      if (member.role === to) return
      if (member.role === 'owner') {
        if (rows.length === 1) throw conflict('This is the only owner of the app: make another member an owner first')
        await sql`select pass_apps(${userId}, ${appId})`.execute(trx)
      }
      if (to === null) await sql`delete from app_members where app_id = ${appId} and user_id = ${userId}`.execute(trx)
      else await sql`update app_members set role = ${to} where app_id = ${appId} and user_id = ${userId}`.execute(trx)
      // The invitations of a member who may no longer invite end.
      await sql`delete from app_invitations where app_id = ${appId} and invited_by = ${userId}`.execute(trx)
      await note(trx, actor, to === null ? 'removed' : 'changed', appId, userId)
    })

  return {
    /** By the time at which they became members. */
    list: (appId: string) => read(appId, null),
    get: async (appId: string, userId: string): Promise<AppMember | undefined> => (await read(appId, userId))[0],

    /** Which of these are still members, of apps that still exist. */
    async left(memberships: { appId: string; userId: string }[]): Promise<{ appId: string; userId: string }[]> {
      const { rows } = await sql<{ appId: string; userId: string }>`
        select m.app_id as "appId", m.user_id as "userId"
          from unnest(${memberships.map(({ appId }) => appId)}::uuid[], ${memberships.map(({ userId }) => userId)}::uuid[]) i(app, member)
          join app_members m on m.app_id = i.app and m.user_id = i.member
          join apps a on a.id = m.app_id and a.deleted_at is null`.execute(db)
      return rows
    },

    /** @throws 404 for an unknown user, 409 for a member and beyond 100 members */
    add: (membership: Membership, actor: Actor) =>
      db.transaction().execute(async (trx) => {
        await lockMembership(trx, membership.appId, membership.userId)
        await addMember(trx, membership)
        await note(trx, actor, 'added', membership.appId, membership.userId)
      }),

    /** @param may throws unless the caller may change a member with this role @throws 404; 409 for the only owner */
    change,
  }
}
