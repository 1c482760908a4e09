import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from '../server/platform/config.ts'
import { ROOT } from '../server/test/process.ts'

const read = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8')
const compose = read('compose.yaml')
const dockerfile = read('Dockerfile')
const haproxy = read('haproxy.cfg')
const page = readFileSync(join(ROOT, 'docs', 'deploy.md'), 'utf8')

/** A service as defined in compose.yaml. */
const serviceOf = (name: string) => new RegExp(`^ {2}${name}:\\n((?: {4}.*\\n|\\n(?= {4}))+)`, 'm').exec(compose)![1]!
const ofCairn = [...compose.matchAll(/^ {2}(\S+):\n {4}<<: \*cairn\n/gm)].map(([, name]) => name!)

test('the settings of compose.yaml are those of Cairn, with what .env.example gives them', () => {
  const given = Object.entries(parseEnv(read('.env.example'))).map(([name, value]) => [name, value || 'ab'.repeat(32)])
  const variables: Record<string, string> = Object.fromEntries(given)
  const settings: Record<string, string> = {}
  for (const [, name, value] of compose.matchAll(/^ {4}(CAIRN_\w+): (.+)$/gm))
    settings[name!] = value!
      .replace(/^"(.*)"$/, '$1')
      .replace(/\$\{(\w+)[^}]*\}/g, (_, name: string) => variables[name]!)
  for (const role of [...compose.matchAll(/CAIRN_ROLE: (\w+)/g)].map(([, role]) => role!))
    expect(readConfig({ ...settings, CAIRN_ROLE: role }, '')).toMatchObject({
      CAIRN_ROLE: role,
      CAIRN_DRAIN_SECONDS: 5,
    })
  const seconds = Number(/stop_grace_period: (\d+)s/.exec(compose)![1])
  expect(seconds).toBeGreaterThan(Number(settings.CAIRN_DRAIN_SECONDS) + 10)
})

test('no secret has a default: .env.example has none, and compose.yaml refuses to start without one', () => {
  const example = parseEnv(read('.env.example'))
  const named = [...compose.matchAll(/\$\{([^}]+)\}/g)].map(([, name]) => name!)
  expect(new Set(named.map((name) => name.split(':')[0]))).toEqual(new Set(Object.keys(example)))
  for (const name of named) expect(name).toMatch(/^\w+:\?is not set in \.env$/)
  for (const name of ['CAIRN_SECRET', 'POSTGRES_PASSWORD', 'S3_SECRET_KEY']) expect(example[name]).toBe('')
})

test.runIf(existsSync('/usr/bin/openssl'))(
  'what docs/deploy.md says makes an .env with each secret of its own',
  async () => {
    const [, line] = /^(\(umask .*> \.env\))$/m.exec(page)!
    const folder = await mkdtemp(join(tmpdir(), 'cairn-env-'))
    cpSync(join(ROOT, 'deploy', '.env.example'), join(folder, '.env.example'))
    execFileSync('sh', ['-c', line!], { cwd: folder })
    const made = parseEnv(readFileSync(join(folder, '.env'), 'utf8'))
    const secrets = [made.CAIRN_SECRET, made.POSTGRES_PASSWORD, made.S3_SECRET_KEY]
    for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(new Set(secrets).size).toBe(3)
    expect(made).toMatchObject({ S3_ACCESS_KEY: 'cairn', CAIRN_PUBLIC_URL: 'http://localhost:8080' })
    expect(statSync(join(folder, '.env')).mode & 0o077).toBe(0)
    await rm(folder, { recursive: true })
  },
)

test('processes of Cairn keep uploads under way in one folder, and PostgreSQL has connections for all of them', () => {
  expect(ofCairn).toEqual(['api-1', 'api-2', 'worker', 'bucket'])
  for (const name of ofCairn) expect(serviceOf(name)).not.toContain('volumes:')
  expect(/^x-cairn:[\s\S]*?^services:/m.exec(compose)![0]).toContain('volumes: ["data:/data"]')
  // docs/scaling.md: a process holds about 40. One more runs while one is replaced, and PostgreSQL keeps some for itself.
  const [, most] = /max_connections=(\d+)/.exec(serviceOf('postgres'))!
  expect(Number(most)).toBeGreaterThan(45 * (ofCairn.length + 1))
})

test('one service builds the image, before all that use it', () => {
  expect(ofCairn.filter((name) => serviceOf(name).includes('build:'))).toEqual(['bucket'])
  expect(compose.match(/^ +build:$/gm)).toHaveLength(1)
  expect(compose).toContain('bucket: { condition: service_completed_successfully }')
})

test('the load balancer leads to the services that serve, at the port that they listen on', () => {
  const [, port] = /CAIRN_PORT=(\d+)/.exec(dockerfile)!
  const serving = [...compose.matchAll(/^ {2}(\S+):\n {4}<<: \*cairn\n.*CAIRN_ROLE: api/gm)].map(([, name]) => name)
  const servers = [...haproxy.matchAll(/^ {2}server (\S+) (\S+)$/gm)].map(([, name, address]) => ({ name, address }))
  expect(servers).toEqual(serving.map((name) => ({ name, address: `${name}:${port}` })))
  expect(serving).toHaveLength(2)
  expect(compose).toContain(`ports: ["${/bind :(\d+)/.exec(haproxy)![1]}:8080"]`)
})
