import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { appSteps, apps } from '../../../test/scoring/app-steps.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
let steps: ReturnType<typeof appSteps>
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  steps = appSteps(service)
})
afterAll(() => service.stop())

const team = async () => {
  const owner = await given.user()
  const { id } = await given.app({ owner })
  const members = `${apps}/${id}/members`
  const join = async (role: string) => {
    const user = await given.user()
    expect((await owner.post(members, { userId: user.id, role })).status).toBe(201)
    return user
  }
  return { owner, id, members, join }
}
const ownerOf = async (id: string) => (await steps.sql('select owner_id as "ownerId" from apps where id = $1', [id]))[0]

describe('members of an app', () => {
  test('the creator of an app is its owner, and the list has every member with the role', async () => {
    const { owner, members, join } = await team()
    const viewer = await join('viewer')
    const list = (await viewer.get(members)).body.members
    expect(list.map(({ userId, role }: { userId: string; role: string }) => [userId, role])).toEqual([
      [owner.id, 'owner'],
      [viewer.id, 'viewer'],
    ])
  })

  test('a member lists the app with the role, and sees its key only as an owner or admin', async () => {
    const { id, join } = await team()
    for (const [role, sees] of [
      ['admin', true],
      ['developer', false],
    ] as const) {
      const { body } = await (await join(role)).get(apps)
      expect(body.apps).toMatchObject([{ id, role }])
      expect(/_…$/.test(body.apps[0].apiKey)).toBe(!sees)
    }
  })

  test('an admin neither makes owners nor changes or removes them: 403', async () => {
    const { owner, members, join } = await team()
    const [admin, other] = [await join('admin'), await join('viewer')]
    expect((await admin.patch(`${members}/${other.id}`, { role: 'owner' })).status).toBe(403)
    expect((await admin.patch(`${members}/${owner.id}`, { role: 'viewer' })).status).toBe(403)
    expect((await admin.delete(`${members}/${owner.id}`)).status).toBe(403)
    expect((await admin.delete(`${members}/${other.id}`)).status).toBe(204)
  })

  test('an unknown user is 404, and a member is 409', async () => {
    const { owner, members } = await team()
    const unknown = { userId: '00000000-0000-7000-8000-000000000000', role: 'viewer' }
    expect((await owner.post(members, unknown)).status).toBe(404)
    expect((await owner.post(members, { userId: owner.id, role: 'viewer' })).status).toBe(409)
  })

  test('member 101 is 409', async () => {
    const { owner, id, members } = await team()
    await steps.sql(
      `with made as (insert into users (id, issuer, subject)
         select gen_random_uuid(), 'test', 'member ' || i from generate_series(1, 99) i returning id)
       insert into app_members (app_id, user_id, role) select $1, id, 'viewer' from made`,
      [id],
    )
    const one = { userId: (await given.user()).id, role: 'viewer' }
    expect(await owner.post(members, one)).toMatchObject({ status: 409, body: { error: /at most 100 members/ } })
  })

  test('of two owners who leave at the same time one stays', async () => {
    for (let round = 0; round < 8; round++) {
      const { owner, id, members, join } = await team()
      const second = await join('owner')
      const left = await Promise.all([owner, second].map((one) => one.delete(`${members}/${one.id}`)))
      expect(left.map(({ status }) => status).toSorted()).toEqual([204, 409])
      expect(await ownerOf(id)).toEqual({ ownerId: left[0]!.status === 409 ? owner.id : second.id })
    }
  })

  test('the only owner cannot be demoted: 409', async () => {
    const { owner, members, join } = await team()
    await join('admin')
    expect((await owner.patch(`${members}/${owner.id}`, { role: 'admin' })).status).toBe(409)
  })

  test('changes name their actor and the member in the audit log', async () => {
    const { owner, id, members, join } = await team()
    const user = await join('viewer')
    await owner.patch(`${members}/${user.id}`, { role: 'developer' })
    await user.delete(`${members}/${user.id}`)
    const subject = `${id}/${user.id}`
    expect(await steps.audited(subject, 'app_member.added')).toMatchObject([{ actor: owner.id }])
    expect(await steps.audited(subject, 'app_member.changed')).toMatchObject([{ actor: owner.id }])
    expect(await steps.audited(subject, 'app_member.removed')).toMatchObject([{ actor: user.id }])
  })

  test('erasing an owner passes the app to another owner', async () => {
    const { owner, id, join } = await team()
    const second = await join('owner')
    expect((await owner.delete('/api/v1/user')).status).toBe(204)
    expect(await ownerOf(id)).toEqual({ ownerId: second.id })
    expect((await second.get(`${apps}/${id}`)).body).toMatchObject({ id, role: 'owner' })
  })

  test('an erasure that the apps of a sole owner prevent passes no app', async () => {
    const { owner, id, join } = await team()
    await join('owner')
    await given.app({ owner })
    expect((await owner.delete('/api/v1/user')).status).toBe(409)
    expect(await ownerOf(id)).toEqual({ ownerId: owner.id })
  })
})
