import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from '../server/platform/config.ts'
import { createTestDatabase } from '../server/test/database.ts'
import { bareEnvironment, ROOT } from '../server/test/process.ts'
import { steadyPort } from '../server/test/programs/steady-port.ts'

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

test('the console is built in a stage of its own, of what its build reads', () => {
  const [, stage] = /^FROM packages AS console\n([\s\S]*?)^FROM /m.exec(dockerfile)!
  const copied = [...stage!.matchAll(/^COPY (\S+) /gm)].map(([, from]) => from!)
  const build = readFileSync(join(ROOT, 'web', 'build.ts'), 'utf8')
  const [, read] = /MADE_OF = \[([\s\S]*?)\]/.exec(build)!
  const named = [...read!.matchAll(/'([^'/]+)[^']*'/g)].map(([, first]) => first!)
  expect(new Set(named)).toEqual(new Set([...copied, 'package-lock.json']))
  expect(stage).toContain('RUN node_modules/.bin/node web/build.ts')
  expect(dockerfile).toContain('COPY --from=console /cairn/web/dist web/dist')
})

/** The packages in the image: those of package-lock.json that are not only for tests, at the paths of COPY. */
function linkPackages(folder: string) {
  const [, from] = /^COPY --from=packages \/cairn(?:\/(\S+))? \S+$/m.exec(dockerfile)!
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; link?: boolean; resolved?: string }>
  }
  for (const [path, { dev, link, resolved }] of Object.entries(packages)) {
    const isOwn = path.split('node_modules/').length === 2 && path.startsWith(from ?? '')
    const source = link ? join(folder, resolved!) : join(ROOT, path)
    if (!isOwn || dev || !(link || existsSync(source))) continue
    mkdirSync(join(folder, path, '..'), { recursive: true })
    symlinkSync(source, join(folder, path))
  }
  mkdirSync(join(folder, 'node_modules', '.bin'))
  symlinkSync('../node/bin/node', join(folder, 'node_modules', '.bin', 'node'))
  cpSync(join(ROOT, 'package-lock.json'), join(folder, 'node_modules', '.installed-lock.json'))
}

/** Returns the packages that the files of a folder import, including dynamic imports, and that are missing. */
function unfound(folder: string): string[] {
  const found = (name: string, file: string) => {
    try {
      return findPackageJSON(name, pathToFileURL(file)) !== undefined
    } catch {
      return false
    }
  }
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules/'))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      const packages = [...text.matchAll(/(?:(?<!distinct )\bfrom |\bimport\()'((?!node:)[a-z@][^']*)'/g)].map(
        ([, one]) => one!,
      )
      return packages.filter((one) => !found(one, join(folder, name))).map((one) => `${one} of ${name}`)
    })
}

test('the image has every file that its command needs, and its health check reports whether the service responds', {
  tags: ['long'],
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-image-'))
  const data = join(folder, 'data')
  const database = await createTestDatabase()
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  // What the console is built of stays in its own stage; what is built there is the service's to serve, and tried in web/test.
  const withoutConsole = dockerfile.replace(/^FROM packages AS console\n[\s\S]*?(?=^FROM )/m, '')
  for (const [, from, to] of withoutConsole.matchAll(/^COPY (?!--from)(.+) (\S+)$/gm))
    for (const one of from!.split(' ')) {
      const target = to!.endsWith('/') ? join(folder, to!, one.split('/').at(-1)!) : join(folder, to!)
      mkdirSync(join(target, '..'), { recursive: true })
      cpSync(join(ROOT, one), target, {
        recursive: true,
        filter: (path) => !/\/(node_modules|test)$|\.test\.ts$/.test(path),
      })
    }
  linkPackages(folder)
  expect(unfound(folder)).toEqual([])
  const exec = (line: RegExp, text: string): [string, ...string[]] => JSON.parse(line.exec(text)![1]!)
  const [program, ...args] = exec(/^CMD (\[.*\])$/m, last)
  const [checker, ...check] = exec(/^HEALTHCHECK .*? CMD (\[.*\])$/m, last)
  const env = {
    ...bareEnvironment(),
    CAIRN_HOST: '0.0.0.0',
    CAIRN_PORT: String(await steadyPort()),
    CAIRN_DATA_DIR: data,
    CAIRN_DATABASE_URL: database.url.replace('@/', '@localhost/'),
    CAIRN_LOG_LEVEL: 'error',
  }
  mkdirSync(data)
  chmodSync(folder, 0o755)
  const account = anotherAccount(folder, program, env.CAIRN_DATABASE_URL)
  if (account) chownSync(data, account.uid, account.gid)
  const inImage = { cwd: folder, env, ...account }
  const isHealthy = () => spawnSync(checker, check, { ...inImage, stdio: 'ignore' }).status === 0
  // Packages are as package-lock.json says, so there is nothing to install.
  execFileSync('sh', ['scripts/install.sh'], { cwd: folder, env })
  const [model, converted] = ['scripts/tour/files/suzanne.glb', join(data, 'suzanne.usdz')]
  execFileSync(program, ['server/cli.ts', 'convert', model, converted], inImage)
  expect(isHealthy()).toBe(false)
  const service = spawn(program, args, { ...inImage, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => service.on('exit', resolve))
  let said = ''
  for (const stream of [service.stdout, service.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  try {
    for (let i = 0; i < 600 && !said.includes('Cairn is at') && service.exitCode === null; i++) await sleep(100)
    expect(said).toContain('Cairn is at')
    expect(isHealthy()).toBe(true)
    const [, command] = /exec api-1 (\S+ server\/cli\.ts user token .*)$/m.exec(page)!
    const [node, ...words] = command!.split(' ')
    expect(execFileSync(node!, words, { ...inImage, encoding: 'utf8' })).toMatch(/^\S{40,}\n$/)
  } finally {
    service.kill('SIGTERM')
    await ended
    await database.drop()
    await rm(folder, { recursive: true })
  }
  expect(service.exitCode).toBe(0)
})

/** An account without write access here, if one exists and can reach the folder and the database: only its owner can open the socket. */
function anotherAccount(
  folder: string,
  program: string,
  databaseUrl: string,
): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const sockets = new URL(databaseUrl).searchParams.get('host')
  const { uid, gid } = sockets ? statSync(sockets) : { uid: 65_534, gid: 65_534 }
  return spawnSync(program, ['--version'], { cwd: folder, uid, gid }).status === 0 ? { uid, gid } : undefined
}
