import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { appSteps, apps } from '../../../test/scoring/app-steps.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
let steps: ReturnType<typeof appSteps>
beforeAll(async () => {
  service = await startService({ CAIRN_LIMIT_EXCHANGES_PER_MINUTE: '20' })
  given = buildersOn(service)
  steps = appSteps(service)
})
afterAll(() => service.stop())

const accept = '/api/v1/invitations/accept'
const hosted = async () => {
  const owner = await given.user()
  const { id } = await given.app({ owner })
  const invitations = `${apps}/${id}/invitations`
  const invite = async (role = 'developer', by = owner) => (await by.post(invitations, { role })).body
  return { owner, id, invitations, invite }
}

describe('invitations to an app', () => {
  test('an accepted invitation gives its role, and the token is in no other answer and not stored', async () => {
    const { owner, id, invitations, invite } = await hosted()
    const { token, ...rest } = await invite()
    expect((await owner.get(invitations)).body).toEqual({ invitations: [rest] })
    expect(Date.parse(rest.expiresAt) - Date.parse(rest.createdAt)).toBe(7 * 86_400_000)
    expect(JSON.stringify(await steps.sql('select * from app_invitations where id = $1', [rest.id]))).not.toContain(
      token,
    )
    const guest = await given.user()
    expect(await guest.post(accept, { token })).toMatchObject({ status: 200, body: { appId: id, role: 'developer' } })
    expect((await guest.get(apps)).body.apps).toMatchObject([{ id, role: 'developer' }])
    expect((await owner.get(invitations)).body).toEqual({ invitations: [] })
    expect(await steps.audited(id, 'app_invitation.accepted')).toMatchObject([{ actor: guest.id }])
  })

  test('of eight users who accept at the same time one becomes a member', async () => {
    const { owner, id, invite } = await hosted()
    const { token } = await invite()
    const guests = await Promise.all(Array.from({ length: 8 }, () => given.user()))
    const answers = await Promise.all(guests.map((guest) => guest.post(accept, { token })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(404)])
    expect((await owner.get(`${apps}/${id}/members`)).body.members).toHaveLength(2)
  })

  test('a revoked or expired invitation is 404', async () => {
    const { owner, invitations, invite } = await hosted()
    const [revoked, expired] = [await invite(), await invite()]
    expect((await owner.delete(`${invitations}/${revoked.id}`)).status).toBe(204)
    await steps.sql("update app_invitations set expires_at = now() - interval '1 second' where id = $1", [expired.id])
    const guest = await given.user()
    for (const { token } of [revoked, expired]) expect((await guest.post(accept, { token })).status).toBe(404)
  })

  test('an invitation ends when its inviter leaves', async () => {
    const { owner, id, invite } = await hosted()
    const admin = await given.user()
    await owner.post(`${apps}/${id}/members`, { userId: admin.id, role: 'admin' })
    const { token } = await invite('viewer', admin)
    await admin.delete(`${apps}/${id}/members/${admin.id}`)
    expect((await (await given.user()).post(accept, { token })).status).toBe(404)
  })

  test('a member who accepts is 409, and the invitation stays', async () => {
    const { owner, invite } = await hosted()
    const { token } = await invite()
    expect((await owner.post(accept, { token })).status).toBe(409)
    expect((await (await given.user()).post(accept, { token })).status).toBe(200)
  })

  test('an admin invites no owner: 403', async () => {
    const { owner, id, invitations } = await hosted()
    const admin = await given.user()
    await owner.post(`${apps}/${id}/members`, { userId: admin.id, role: 'admin' })
    expect((await admin.post(invitations, { role: 'owner' })).status).toBe(403)
  })

  test('invitation 51 is 409', async () => {
    const { owner, id, invitations } = await hosted()
    await steps.sql(
      `insert into app_invitations (id, app_id, role, hash, invited_by, expires_at)
       select gen_random_uuid(), $1::text::uuid, 'viewer', decode(md5($1::text || i), 'hex'), $2, now() + interval '1 day'
         from generate_series(1, 50) i`,
      [id, owner.id],
    )
    expect((await owner.post(invitations, { role: 'viewer' })).status).toBe(409)
  })

  test('guesses are limited: 429', async () => {
    const guest = await given.user()
    const statuses: number[] = []
    for (let count = 0; count < 25; count++)
      statuses.push((await guest.post(accept, { token: `guess-${count}` })).status)
    expect(new Set(statuses)).toEqual(new Set([404, 429]))
  })
})
