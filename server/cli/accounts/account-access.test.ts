// @module-tag long
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { signInAtBox } from '../../test/network/box-sign-in.ts'
import { runCommandOn } from '../../test/run-command.ts'
import { type Service, startService } from '../../test/service.ts'

// Each command is a process, which takes seconds to start on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

const login = 'ada'
const password = 'correct horse battery'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const user = (...words: string[]) => runCommandOn(service, ['user', ...words])

test('cairn user link, disable and enable: a link that works once, and nobody signs in to a disabled account', async () => {
  const operator = { actor: 'operator', address: null }
  const made = await service.app.operator.accounts.add({ login, password }, operator)
  const link = JSON.parse((await user('link', 'ADA', '--json')).out)
  expect(link).toEqual({
    userId: made.user.id,
    url: expect.stringContaining('/set-password?code='),
    expiresAt: expect.stringMatching(/Z$/),
  })
  expect(await user('disable', 'ada')).toMatchObject({ code: 0, out: 'ada is disabled\n', err: '' })
  await expect(signInAtBox(service.url, { login, password })).rejects.toThrow('disabled')
  expect(await user('link', 'ada')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('enable it first') })
  expect(JSON.parse((await user('enable', 'ada', '--json')).out)).toEqual({
    userId: made.user.id,
    login,
    state: 'active',
  })
  await signInAtBox(service.url, { login, password })

  const admin = await buildersOn(service).user({ roles: ['admin'] })
  const { entries } = (await admin.get(`/api/v1/audit-log?subject=${made.user.id}`)).body
  expect(entries.map(({ actor, action }: { actor: string; action: string }) => `${actor}: ${action}`)).toEqual(
    expect.arrayContaining([
      'operator: account.link_created',
      'operator: account.disabled',
      'operator: account.enabled',
    ]),
  )
  expect(await user('disable', admin.id)).toMatchObject({ code: 1, err: expect.stringContaining('Account not found') })
  expect(await user('link')).toMatchObject({ code: 2, err: expect.stringContaining('Name the user') })
})
