import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limitedSession } from '../../test/access/limited-session.ts'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  service = await startService({ CAIRN_ADMIN_EMAILS: 'Boss@example.com' })
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

const me = '/api/v1/user'
const users = '/api/v1/users'

describe('the signed-in user', () => {
  test('GET answers exactly the members of User', async () => {
    const user = await given.user({ name: 'exact' })
    const { status, body, headers } = await user.get(me)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id: user.id,
        email: null,
        firstName: null,
        lastName: null,
        phoneNumber: null,
        username: 'exact',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        imageUrl: null,
      },
    })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('every operation without a session, or with an app key alone, is 401', async () => {
    const app = await given.app()
    for (const caller of [service.anonymous, app, service.as({ authorization: 'Bearer nonsense' })])
      for (const answer of [
        await caller.get(me),
        await caller.patch(me, { username: 7 }),
        await caller.delete(me),
        await caller.get(`${me}/export`),
        await caller.get(users),
        await caller.get(`${users}/x`),
        await caller.put(`${users}/x/roles`, {}),
      ])
        expect(answer).toMatchObject({ status: 401, body: { error: expect.stringContaining('session token') } })
  })

  test('a username is required, trimmed, at least 1 character, and without invisible, control and direction characters', async () => {
    const user = await given.user()
    expect(await user.patch(me, { username: '  Grace ' })).toMatchObject({ status: 200, body: { username: 'Grace' } })
    for (const username of [
      undefined,
      '',
      '   ',
      '\u200b\u2060 \u00ad',
      'Gr\u202eace',
      'Gra\u200bce',
      'Gra\tce',
      7,
      null,
      'x'.repeat(256),
    ])
      expect(await user.patch(me, { username }), `${username}`).toMatchObject({
        status: 400,
        body: { error: [{ path: ['username'] }] },
      })
    expect((await user.get(me)).body.username).toBe('Grace')
    expect((await user.patch(me, { username: 'x' })).body.username).toBe('x')
  })

  test('a username is unique by NFKC and case: a taken one is 409, and one’s own name may be spelled differently', async () => {
    const [first, second] = [await given.user(), await given.user()]
    await first.patch(me, { username: 'Straße ﬁ' })
    for (const username of ['STRASSE FI', 'straße fi', ' Straße ﬁ '])
      expect(await second.patch(me, { username }), username).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining('is taken') },
      })
    expect(await first.patch(me, { username: 'STRASSE FI' })).toMatchObject({ status: 200 })
  })

  test('of 64 users who reach for one name at once, one has it', async () => {
    const many = []
    for (let i = 0; i < 64; i++) many.push(await given.user())
    const answers = await Promise.all(many.map((user) => user.patch(me, { username: 'The One' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(63).fill(409)])
  })
})

describe('users, for ops and admins', () => {
  test('a user, a session from a code of an admin, and ops (for roles) are 403', async () => {
    const [user, ops, admin] = [
      await given.user(),
      await given.user({ roles: ['ops'] }),
      await given.user({ roles: ['admin'] }),
    ]
    const limited = await limitedSession(service, admin)
    for (const caller of [user, limited])
      for (const answer of [
        await caller.get(users),
        await caller.get(`${users}/${user.id}`),
        await caller.put(`${users}/${user.id}/roles`, { roles: 7 }),
      ])
        expect(answer).toMatchObject({ status: 403 })
    expect(await ops.get(users)).toMatchObject({ status: 200 })
    expect(await ops.put(`${users}/${ops.id}/roles`, { roles: ['admin'] })).toMatchObject({ status: 403 })
    expect((await ops.get(`${users}/${ops.id}`)).body.roles).toEqual(['ops'])
  })

  test('the list finds parts of usernames, addresses and names, ignoring case; patterns are literal', async () => {
    const ops = await given.user({ roles: ['ops'] })
    const user = await given.user({ name: 'ada_100%' })
    await sql(
      "update users set email = 'Ada@Countess.example', first_name = 'Ada', last_name = 'Lovelace' where id = $1",
      [user.id],
    )
    for (const query of ['ADA_100%', 'countess', 'a lovel'])
      expect((await ops.get(`${users}?query=${encodeURIComponent(query)}`)).body.users, query).toEqual([
        expect.objectContaining({ id: user.id, email: 'Ada@Countess.example', firstName: 'Ada', roles: [] }),
      ])
    for (const query of ['a_a_100', 'ada%100', '\\'])
      expect((await ops.get(`${users}?query=${encodeURIComponent(query)}`)).body.users, query).toEqual([])
    expect((await ops.get(`${users}/${user.id}`)).body.lastName).toBe('Lovelace')
    for (const id of ['nobody', crypto.randomUUID()])
      expect(await ops.get(`${users}/${id}`)).toMatchObject({ status: 404, body: { error: 'User not found' } })
  })

  test('the list is paged: the Link followed to the end gives each user once, x-total-count says how many', async () => {
    const ops = await given.user({ roles: ['ops'] })
    for (let i = 0; i < 5; i++) await given.user({ name: `paged-${i}` })
    const seen: string[] = []
    let path: string | undefined = `${users}?query=paged-&limit=2`
    while (path) {
      const { body, headers } = await ops.get(path)
      expect(headers.get('x-total-count')).toBe('5')
      seen.push(...body.users.map(({ username }: { username: string }) => username))
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual([0, 1, 2, 3, 4].map((i) => `paged-${i}`))
    for (const query of ['limit=0', 'limit=10001', 'limit=x', 'cursor=bad'])
      expect(await ops.get(`${users}?${query}`), query).toMatchObject({ status: 400 })
  })
})

describe('roles', () => {
  test('an admin grants and takes roles; open sessions have them within a second, and it is audited', async () => {
    const [admin, user] = [await given.user({ roles: ['admin'] }), await given.user()]
    const path = `${users}/${user.id}/roles`
    expect(await admin.put(path, { roles: ['ops', 'ops'] })).toMatchObject({
      status: 200,
      body: { id: user.id, roles: ['ops'] },
    })
    await expect.poll(async () => (await user.get(users)).status).toBe(200)
    expect(await admin.put(path, { roles: [] })).toMatchObject({ status: 200, body: { roles: [] } })
    await expect.poll(async () => (await user.get(users)).status).toBe(403)
    expect(
      await sql("select actor, action, address from audit_log where subject = $1 and action = 'user.roles_changed'", [
        user.id,
      ]),
    ).toEqual(Array(2).fill({ actor: admin.id, action: 'user.roles_changed', address: '127.0.0.1' }))
  })

  test('an unknown role is 400, an unknown user 404', async () => {
    const admin = await given.user({ roles: ['admin'] })
    for (const roles of [['king'], 'admin', undefined, [7], null])
      expect(await admin.put(`${users}/${admin.id}/roles`, { roles })).toMatchObject({ status: 400 })
    expect(await admin.put(`${users}/${crypto.randomUUID()}/roles`, { roles: [] })).toMatchObject({ status: 404 })
  })

  test('those shown are the ones in effect: claimed by the issuer, granted here, and by a listed address', async () => {
    const admin = await given.user({ roles: ['admin'] })
    const [claimed, listed, other] = [await given.user(), await given.user(), await given.user()]
    await sql("update users set claimed_roles = '{ops,gardener}' where id = $1", [claimed.id])
    await sql("update users set admin_email = 'boss@example.com' where id = $1", [listed.id])
    await sql("update users set admin_email = 'former@example.com' where id = $1", [other.id])
    expect((await admin.put(`${users}/${claimed.id}/roles`, { roles: ['admin'] })).body.roles).toEqual(['admin', 'ops'])
    expect((await admin.put(`${users}/${claimed.id}/roles`, { roles: [] })).body.roles).toEqual(['ops'])
    expect((await admin.get(`${users}/${listed.id}`)).body.roles).toEqual(['admin'])
    expect((await admin.get(`${users}/${other.id}`)).body.roles).toEqual([])
    await sql('update users set admin_email = null where id = any($1)', [[listed.id, other.id]])
  })

  test('the last admin cannot take its own admin role away: 409; of two who try at once, one stays', async () => {
    const [one, two] = [await given.user({ roles: ['admin'] }), await given.user({ roles: ['admin'] })]
    await sql(
      `update users set granted_roles = array_remove(granted_roles, 'admin'), claimed_roles = array_remove(claimed_roles, 'admin')
        where id <> all($1)`,
      [[one.id, two.id]],
    )
    // However the role came, it is one that was granted here.
    await sql("update users set granted_roles = '{admin}', claimed_roles = '{}' where id = any($1)", [[one.id, two.id]])
    const step = (user: typeof one) => user.put(`${users}/${user.id}/roles`, { roles: ['ops'] })
    // Both stop at the same point and continue together.
    const holder = new pg.Client({ connectionString: service.databaseUrl })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from users where id = any($1) for update', [[one.id, two.id]])
    const steps = [step(one), step(two)]
    const held = () =>
      sql("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
    await expect.poll(async () => (await held()).length).toBe(2)
    await holder.query('commit')
    await holder.end()
    const answers = await Promise.all(steps)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const last = answers[0]!.status === 409 ? one : two
    expect(await step(last)).toMatchObject({ status: 409, body: { error: expect.stringContaining('last admin') } })
    expect(await last.put(`${users}/${last.id}/roles`, { roles: ['admin', 'ops'] })).toMatchObject({
      status: 200,
      body: { roles: ['admin', 'ops'] },
    })
  })
})
