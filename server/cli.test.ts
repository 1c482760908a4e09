// @module-tag long
import { spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userAdd, userPassword, userRoles } from './cli/accounts/users.ts'
import { UsageError } from './cli/context.ts'
import { signInAtBox } from './test/network/box-sign-in.ts'
import { bareEnvironment, cleanUp, newFolder, ROOT, type ServiceProcess, startProcess } from './test/process.ts'
import { textOf, visitor } from './test/scriptless-browser.ts'
import type { Answer } from './test/service.ts'

const PASSWORD = 'correct horse battery'

let folder: string
let service: ServiceProcess
beforeAll(async () => {
  folder = await newFolder()
  service = await startProcess(folder)
})
afterAll(() => cleanUp(folder, service))

/** One command, beside the running service. */
function cairn(args: string[], input = ''): Promise<{ code: number | null; out: string; error: string }> {
  const child = spawn(process.execPath, ['server/cli.ts', ...args], {
    cwd: ROOT,
    env: { ...bareEnvironment(), CAIRN_DATA_DIR: folder },
  })
  let [out, error] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    error += chunk
  })
  child.stdin.end(input)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, error })))
}
const signedIn = (login: string, password = PASSWORD) => signInAtBox(service.url, { login, password })
const ask = async (method: string, path: string, token?: string, body?: object) => {
  const answer = await fetch(service.url + path, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}

describe('what a start prints', () => {
  test('a one-time link on a new installation; each start replaces it and invalidates the one before', async () => {
    const other = await newFolder()
    const linkOf = (started: ServiceProcess) => /first admin {2}(http\S+)/.exec(started.output())?.[1]
    const first = await startProcess(other)
    const link = linkOf(first)!
    expect((await fetch(link)).status).toBe(200)
    first.child.kill('SIGKILL')
    await first.ended
    const second = await startProcess(other)
    try {
      expect((await fetch(service.url + new URL(link).pathname + new URL(link).search)).status).toBe(404)
      expect((await fetch(second.url + new URL(link).pathname + new URL(link).search)).status).toBe(410)
      expect((await fetch(linkOf(second)!)).status).toBe(200)
    } finally {
      await cleanUp(other, first, second)
    }
  })
})

test('no password, code or token reaches the log, however much is logged', async () => {
  const other = await newFolder()
  const started = await startProcess(other, { settings: { CAIRN_LOG_LEVEL: 'trace' } })
  try {
    const [, link = ''] = /first admin {2}(http\S+)/.exec(started.output()) ?? []
    const who = visitor()
    await who.open(link)
    await who.submit({ login: 'ada', password: PASSWORD, again: PASSWORD })
    const another = visitor()
    await another.open(`${started.url}/sign-in`)
    await another.submit({ login: 'ada', password: 'a wrong password' })
    const page = await another.submit({ login: 'ada', password: PASSWORD })
    const token = textOf(page, 'token')
    const code = new URL(page.url).searchParams.get('code')!
    expect(token).toMatch(/^ey/)
    const identityToken = await signInAtBox(started.url, { login: 'ada', password: PASSWORD })
    expect(started.output()).toContain('/sign-in/callback')
    for (const secret of [
      PASSWORD,
      'a wrong password',
      token,
      code,
      identityToken,
      ...[...who.cookies(), ...another.cookies()].map((one) => one.value),
    ])
      expect(started.output()).not.toContain(secret)
    expect(started.output().split(new URL(link).searchParams.get('code')!)).toHaveLength(2)
  } finally {
    await cleanUp(other, started)
  }
})

describe('cairn user', () => {
  test('add makes an account, passwd ends its sessions, roles takes effect at once; all of it is in the audit log', async () => {
    const added = await cairn(
      ['user', 'add', 'Ada', '--email', 'ada@example.com', '--role', 'ops', '--password-stdin', '--json'],
      `${PASSWORD}\n`,
    )
    expect(added).toMatchObject({ code: 0, error: '' })
    const { userId, ...record } = JSON.parse(added.out)
    expect(record).toEqual({ login: 'Ada', email: 'ada@example.com', roles: ['ops'] })

    const { body } = await ask('POST', '/auth/exchange', undefined, { token: await signedIn('ada') })
    expect(body.user).toMatchObject({ id: userId, roles: ['ops'] })
    const session = body.serviceSessionToken
    const rolesNow = async () => (await ask('POST', '/auth/sync', session)).body.user?.roles

    expect(await cairn(['user', 'roles', 'ADA'])).toMatchObject({ code: 0, out: 'ops\n' })
    const changed = await cairn(['user', 'roles', 'ada', '--role', 'admin', '--role', 'ops', '--json'])
    expect(JSON.parse(changed.out)).toEqual({ userId, roles: ['admin', 'ops'] })
    await expect.poll(rolesNow).toEqual(['admin', 'ops'])
    const last = await cairn(['user', 'roles', userId, '--none'])
    expect(last).toMatchObject({ code: 1, error: expect.stringContaining('This is the last admin') })

    const passed = await cairn(['user', 'passwd', 'ada', '--password-stdin', '--json'], 'another good one')
    expect(passed).toMatchObject({ code: 0, out: `${JSON.stringify({ userId, login: 'Ada' })}\n` })
    await expect.poll(() => ask('GET', '/api/v1/apps', session).then(({ status }) => status)).toBe(401)
    await expect(signedIn('ada')).rejects.toThrow('401')
    await signedIn('ada', 'another good one')

    const token = (await cairn(['user', 'token', '--name', 'ada'])).out.trim()
    const log = await ask('GET', `/api/v1/audit-log?subject=${userId}`, token)
    const done = log.body.entries.map(({ actor, action }: { actor: string; action: string }) => `${actor}: ${action}`)
    expect(done.toReversed()).toEqual([
      'operator: account.created',
      'operator: user.roles_changed',
      'operator: account.password_changed',
      'operator: session.opened',
    ])
    const less = await cairn(['user', 'token', '--name', 'ada', '--role', 'ops'])
    expect(less).toMatchObject({ code: 1, out: '', error: expect.stringContaining('This is the last admin') })
  }, 120_000)

  test.each([
    ['a login that is taken', ['user', 'add', 'aDA', '--password-stdin'], PASSWORD, 1, 'already an account'],
    ['no account', ['user', 'passwd', 'nobody', '--password-stdin'], PASSWORD, 1, 'not found'],
    ['no user', ['user', 'roles', 'nobody'], '', 1, 'There is no user "nobody"'],
    ['words that make no sense', ['user', 'remove', 'bob'], '', 2, 'no command "user remove"'],
  ])('%s', async (_name, args, input, code, why) => {
    expect(await cairn(args, input)).toMatchObject({ code, out: '', error: expect.stringContaining(why) })
  })

  test.each([
    ['a password as argument', () => userAdd(['bob', PASSWORD]), 'too many arguments'],
    ['a password as option', () => userAdd(['bob', '--password', PASSWORD]), '--password'],
    ['no terminal and no --password-stdin', () => userAdd(['bob']), '--password-stdin'],
    ['no name', () => userPassword(['--password-stdin']), 'NAME'],
    ['an invalid email address', () => userAdd(['bob', '--email', 'bob']), 'not an email address'],
    ['an unknown role', () => userRoles(['ada', '--role', 'king']), 'no role "king"'],
    ['roles and none of them', () => userRoles(['ada', '--role', 'ops', '--none']), 'either --none or --role'],
  ])('%s is not understood', async (_name, command, why) => {
    const fault = await command().catch((error: Error) => error)
    expect(fault).toBeInstanceOf(UsageError)
    expect((fault as Error).message).toContain(why)
    expect((fault as Error).message).not.toContain(PASSWORD)
  })
})
