import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

describe('configuration', () => {
  test('has a default for everything', () => {
    expect(readConfig({}, '')).toMatchObject({
      CAIRN_HOST: '127.0.0.1',
      CAIRN_PORT: 8080,
      CAIRN_OIDC: [],
      CAIRN_LOG_LEVEL: 'info',
    })
  })

  test('refuses an unknown name and suggests the nearest; ignores variables of orchestrators', () => {
    expect(() => readConfig({ CAIRN_DATBASE_URL: 'x' }, '')).toThrow(
      'CAIRN_DATBASE_URL is not a setting of Cairn; the nearest is CAIRN_DATABASE_URL',
    )
    const injected = {
      CAIRN_SERVICE_HOST: 'x',
      CAIRN_PORT_8080_TCP: 'y',
      CAIRN_PORT: 'tcp://10.0.0.1:8080',
      PATH: '/bin',
    }
    expect(readConfig(injected, '').CAIRN_PORT).toBe(8080)
  })

  test('reports all wrong values at once', () => {
    const wrong = () => readConfig({ CAIRN_PORT: 'http', CAIRN_LOG_LEVEL: 'loud', CAIRN_SECRET: 'short' }, '')
    expect(wrong).toThrow('CAIRN_PORT: ')
    expect(wrong).toThrow('CAIRN_LOG_LEVEL: ')
    expect(wrong).toThrow('CAIRN_SECRET: needs at least 32 characters')
  })

  test.each([
    ['CAIRN_PORT', '65536', 'must be at most 65535'],
    ['CAIRN_BACKUP_KEEP', '0', 'must be at least 1'],
    ['CAIRN_PROCESSES', '0', 'must be auto, or a number of processes from 1 to 64'],
    ['CAIRN_PROCESSES', '65', 'must be auto, or a number of processes from 1 to 64'],
    ['CAIRN_DRAIN_SECONDS', '-0.5', 'must be at least 0'],
    ['CAIRN_DRAIN_SECONDS', 'soon', 'must be a number'],
  ])('%s=%s is refused with the values it may have', (name, value, says) => {
    expect(() => readConfig({ [name]: value }, '')).toThrow(`${name}: ${says}`)
  })

  test('several processes need Redis beside a replica; a worker is one process', () => {
    const several = { CAIRN_PROCESSES: '2' }
    const replicated = { ...several, CAIRN_DATABASE_REPLICA_URL: 'postgres://replica/cairn' }
    expect(() => readConfig({ ...replicated, CAIRN_ROLE: 'worker' }, '')).not.toThrow()
    expect(() => readConfig(replicated, '')).toThrow('needs CAIRN_REDIS_URL')
    expect(readConfig({ ...replicated, CAIRN_REDIS_URL: 'redis://cache' }, '').CAIRN_PROCESSES).toBe(2)
  })

  test('parses numbers, proxies and origins strictly', () => {
    const wrong = {
      CAIRN_PORT: ['1e3', ' ', '-1', '65536'],
      CAIRN_TRUSTED_PROXIES: ['abc', '10.0.0.0/33', '10.0.0.1,abc'],
      CAIRN_IMPORT_HOSTS: ['https://files.example.org', '10.0.0.1', '*', 'files.example.org, localhost'],
      CAIRN_CORS_ORIGINS: ['foo', 'https://game.example/path'],
      CAIRN_PUBLIC_URL: ['ftp://a.example', 'https://a.example/?b', 'https://a.example#b', 'https://me:pw@a.example'],
    }
    for (const [name, values] of Object.entries(wrong))
      for (const value of values) expect(() => readConfig({ [name]: value }, ''), value).toThrow(name)
    expect(
      readConfig(
        { CAIRN_TRUSTED_PROXIES: '10.0.0.0/8, ::1, loopback', CAIRN_CORS_ORIGINS: 'https://game.example' },
        '',
      ),
    ).toMatchObject({
      CAIRN_TRUSTED_PROXIES: ['10.0.0.0/8', '::1', 'loopback'],
    })
  })

  test('requires https for issuers, or http on loopback', () => {
    const oidc = (issuer: string) => readConfig({ CAIRN_OIDC: JSON.stringify([{ issuer, audience: 'a' }]) }, '')
    expect(oidc('https://login.example').CAIRN_OIDC).toEqual([
      { issuer: 'https://login.example', audience: 'a', rolesClaim: 'roles', trustRoles: true },
    ])
    expect(() => oidc('http://127.0.0.1:9000')).not.toThrow()
    expect(() => oidc('http://login.example')).toThrow('CAIRN_OIDC')
    expect(() => readConfig({ CAIRN_OIDC: '{' }, '')).toThrow('it is not JSON')
    expect(() =>
      readConfig({ CAIRN_OIDC: '[{"issuer":"https://a.example","audience":"a","trustRole":false}]' }, ''),
    ).toThrow('trustRole')
  })

  test('an interval is minutes, hours or days, up to a year', () => {
    const every = (text: string) => readConfig({ CAIRN_BACKUP_EVERY: text }, '').CAIRN_BACKUP_EVERY
    expect(['90m', '6h', '1d'].map(every)).toEqual([5400, 21_600, 86_400])
    for (const wrong of ['6', '0h', '1.5h', '6 h', '10s', '367d'])
      expect(() => every(wrong), wrong).toThrow('CAIRN_BACKUP_EVERY: must be')
    expect(readConfig({}, '').CAIRN_BACKUP_EVERY).toBeUndefined()
  })

  test('backups go to a folder or to a bucket, whose settings go together', () => {
    const bucket = {
      CAIRN_BACKUP_S3_BUCKET: 'backups',
      CAIRN_BACKUP_S3_ACCESS_KEY_ID: 'id',
      CAIRN_BACKUP_S3_SECRET_ACCESS_KEY: 'secret',
    }
    expect(readConfig({ ...bucket, CAIRN_BACKUP_S3_PREFIX: 'a/b/' }, '').CAIRN_BACKUP_S3_PREFIX).toBe('a/b')
    expect(() => readConfig({ ...bucket, CAIRN_BACKUP_S3_PREFIX: '/a' }, '')).toThrow('CAIRN_BACKUP_S3_PREFIX')
    expect(() => readConfig({ ...bucket, CAIRN_BACKUP_DIR: '/b' }, '')).toThrow('are both set')
    for (const name of Object.keys(bucket))
      expect(() => readConfig({ ...bucket, [name]: '' }, '')).toThrow(`${name} is missing: backups on S3 need it`)
  })

  test('requires all settings of S3 together', () => {
    const whole = {
      CAIRN_S3_BUCKET: 'files',
      CAIRN_S3_ACCESS_KEY_ID: 'id',
      CAIRN_S3_SECRET_ACCESS_KEY: 'secret',
    }
    expect(readConfig(whole, '')).toMatchObject({ ...whole, CAIRN_S3_REGION: 'us-east-1' })
    expect(() => readConfig({ CAIRN_S3_REGION: 'eu-west-1' }, '')).not.toThrow()
    for (const name of Object.keys(whole))
      expect(() => readConfig({ ...whole, [name]: '' }, '')).toThrow(`${name} is missing: files on S3 need it`)
    expect(() => readConfig({ CAIRN_S3_ENDPOINT: 'https://s3.example' }, '')).toThrow('CAIRN_S3_BUCKET is missing')
  })

  test('uses .env for variables missing in the environment', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-env-'))
    const file = join(folder, '.env')
    writeFileSync(file, 'CAIRN_PORT=1234\nCAIRN_HOST=0.0.0.0\n')
    expect(readConfig({ CAIRN_PORT: '4321' }, file)).toMatchObject({ CAIRN_PORT: 4321, CAIRN_HOST: '0.0.0.0' })
    rmSync(folder, { recursive: true })
  })
})

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

test('docs/operations.md has every setting', () => {
  const names = [...read('./config.ts').matchAll(/^ {2}(CAIRN_\w+):/gm)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(50)
  const rows = read('../../docs/operations.md')
    .split('\n')
    .filter((line) => line.startsWith('| `CAIRN_'))
  expect(names.filter((name) => !rows.some((row) => row.includes(`\`${name}\``)))).toEqual([])
})

test('docs/operations.md has the default of every setting that is a number', () => {
  const rows = [...read('../../docs/operations.md').matchAll(/^\| `(CAIRN_\w+)` \| `?(\d+(?:\.\d+)?)`?(?: \||\s\()/gm)]
  const written = Object.fromEntries(rows.map(([, name, value]) => [name!, Number(value)]))
  const numbers = Object.entries(readConfig({}, '')).filter(([, value]) => typeof value === 'number')
  expect(numbers.length).toBeGreaterThan(30)
  expect(written, 'the defaults in docs/operations.md and in config.ts differ').toEqual(Object.fromEntries(numbers))
})

test('docs/limits.md has every CAIRN_LIMIT and CAIRN_QUOTA, with its default', () => {
  const page = read('../../docs/limits.md')
  for (const [name, value] of Object.entries(readConfig({}, '')).filter(([name]) =>
    /^CAIRN_(LIMIT|QUOTA)_/.test(name),
  )) {
    const lines = page.split('\n').filter((line) => line.includes(`\`${name}\``))
    expect(lines, `no line of docs/limits.md has ${name}`).not.toEqual([])
    const texts = [value.toLocaleString('en'), `${Number(value) / 2 ** 30} GiB`]
    const isThere = lines.some((line) => texts.some((text) => line.includes(text)))
    expect(isThere, `docs/limits.md must have the default of ${name}: ${texts.join(' or ')}`).toBe(true)
  }
})
