import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signInAtBox } from '../../../test/network/box-sign-in.ts'
import { type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

const PASSWORD = 'correct horse battery'
const OPERATOR = { actor: 'operator', address: null }

let service: Service
let sql: Sql
beforeAll(async () => {
  service = await startService()
  sql = sqlOn(service)
})
afterAll(() => service.stop())

let count = 0
/** An account, with an identity token that opens sessions of its user. */
const person = async () => {
  const login = `person-${++count}`
  const { user } = await service.app.operator.accounts.add({ login, password: PASSWORD }, OPERATOR)
  return { user, id: user.id, token: await signInAtBox(service.url, { login, password: PASSWORD }) }
}
const exchange = (token: string) => service.anonymous.post('/auth/exchange', { token })
const disable = (id: string, isDisabled = true) => service.app.operator.accounts.setDisabled(id, isDisabled, OPERATOR)

describe('the disabling of an account', () => {
  test('misses no session that is being opened at that moment', async () => {
    const { id, user } = await person()
    const other = new pg.Client({ connectionString: service.databaseUrl })
    await other.connect()
    await other.query('begin')
    await other.query('update users set disabled_at = now() where id = $1', [id])
    const opened = service.app.identity.openFor(user).then(
      () => 'opened',
      (error: Error) => error.message,
    )
    await expect
      .poll(() =>
        sql("select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into user_sessions%'"),
      )
      .toHaveLength(1)
    await other.query('commit')
    await other.end()
    expect(await opened).toContain('disabled')
    expect(await sql('select from user_sessions where user_id = $1', [id])).toEqual([])
  })

  test('ends identity tokens for good: one from before opens no session after the account is enabled again', async () => {
    const { id, token } = await person()
    expect((await exchange(token)).status).toBe(200)
    await disable(id)
    await disable(id, false)
    expect((await exchange(token)).status).toBe(401)
  })

  test('and a change of its password at once do not wait for each other', async () => {
    const { id, token } = await person()
    const session = service.as({ authorization: `Bearer ${(await exchange(token)).body.serviceSessionToken}` })
    for (let round = 0; round < 5; round++) {
      await service.app.operator.accounts.newLink(id, OPERATOR)
      const login = `person-${count}`
      await Promise.all([
        disable(id),
        service.app.operator.accounts.changePassword(login, `${PASSWORD} ${round}`, OPERATOR),
      ])
      await disable(id, false)
    }
    await expect.poll(async () => (await session.get('/api/v1/user')).status).toBe(401)
  })
})
