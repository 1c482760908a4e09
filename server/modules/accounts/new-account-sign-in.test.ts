import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { beginFlow } from '../../test/network/box-sign-in.ts'
import { visitor } from '../../test/scriptless-browser.ts'
import { type Service, startService } from '../../test/service.ts'

const PASSWORD = 'correct horse battery'
const OPERATOR = { actor: 'operator', address: null }

let service: Service
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.stop())

/** Creates the first admin. @returns the cookie that spares the browser from asking for the password again */
async function createAdmin() {
  const link = (await service.app.box.firstAdminLink())!
  const body = new URLSearchParams({ login: 'ada', password: PASSWORD, again: PASSWORD })
  const { headers } = await fetch(link, { method: 'POST', body, redirect: 'manual' })
  const [, value = ''] = /^cairn_new_account=([^;]+)/.exec(headers.getSetCookie().join('\n')) ?? []
  return { value, line: headers.getSetCookie().join('\n') }
}

/** What /sign-in shows to a browser with this cookie. */
async function signInWith(value: string) {
  const who = visitor()
  who.cookies().push({ name: 'cairn_new_account', value, path: '/oidc/interaction' })
  return (await who.open(`${service.url}/sign-in`)).html
}

const SIGNED_IN = '<h1>Signed in as ada</h1>'
const ASKED = 'autocomplete="current-password"'

describe('the browser that has just created the first admin', () => {
  test('is signed in without the password', async () => {
    const { value, line } = await createAdmin()
    expect(line).toMatch(/; Path=\/oidc\/interaction; Max-Age=120; HttpOnly; SameSite=Lax$/)
    expect(await signInWith(value)).toContain(SIGNED_IN)
  })

  test('is asked for it once somebody has signed in with the account', async () => {
    const { value } = await createAdmin()
    expect(await signInWith(value)).toContain(SIGNED_IN)
    expect(await signInWith(value)).toContain(ASKED)
  })

  test('is asked for it once the password has changed', async () => {
    const { value } = await createAdmin()
    await service.app.operator.accounts.changePassword('ada', 'another horse battery', OPERATOR)
    expect(await signInWith(value)).toContain(ASKED)
  })

  test('is asked for it when a program on the device asks to sign in', async () => {
    const { value } = await createAdmin()
    const who = visitor()
    who.cookies().push({ name: 'cairn_new_account', value, path: '/oidc/interaction' })
    const { start } = await beginFlow(service.url)
    expect((await who.open(start)).html).toContain(ASKED)
  })

  test.each(['', 'x', 'AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAA'])(
    'is asked for it with a cookie that was not given: %j',
    async (value) => {
      await createAdmin()
      expect(await signInWith(value)).toContain(ASKED)
    },
  )
})

test('a refused form gives no cookie', async () => {
  const link = (await service.app.box.firstAdminLink())!
  const send = (form: Record<string, string>) =>
    fetch(link, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
  const refused = await send({ login: 'ada', password: PASSWORD, again: 'another' })
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([400, []])
  await createAdmin()
  const used = await send({ login: 'eve', password: PASSWORD, again: PASSWORD })
  expect([used.status, used.headers.getSetCookie()]).toEqual([410, []])
})
