import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { runCommand } from '../test/run-command.ts'
import { APPS } from './accounts/apps.ts'
import { USERS } from './accounts/users.ts'
import { GROUPS } from './commands.ts'
import { helpFor, helpOf, nearest } from './help.ts'
import { SERVING } from './serve.ts'

const SOME = [SERVING, USERS, APPS]

test('help lists every command; with words it explains one, or lists those that begin with them', () => {
  const all = helpFor(SOME, [])!
  for (const { commands } of SOME) for (const { words } of commands) expect(all).toContain(`${words} `)
  const one = helpFor(SOME, ['app', 'rotate'])!
  expect(one).toContain('cairn app rotate ID [--grace SECONDS] [--json]')
  expect(one).toContain('Examples:')
  expect(one).toContain('  2  invalid command line')
  expect(helpFor(SOME, ['app'])!.split('\n')).toHaveLength(APPS.commands.length)
  expect(helpFor(SOME, ['nothing'])).toBeUndefined()
})

test.each([
  ['ap list', 'app list'],
  ['user ad ada', 'user add'],
  ['apps rotate x', 'app rotate'],
  ['strat', 'serve'],
])('"%s" suggests "%s"', (typed, meant) => {
  expect(nearest(SOME, typed.split(' '))?.words).toBe(meant)
})

test('help explains a command by its other word too', () => {
  expect(helpFor(SOME, ['start'])).toBe(helpFor(SOME, ['serve']))
})

test('an unknown word gets no suggestion', () => {
  expect(nearest(SOME, ['frob'])).toBeUndefined()
})

test('a specific exit code replaces the common one', () => {
  const [, codes] = helpOf({ ...APPS.commands[0]!, exits: [[1, 'at least one check failed']] }).split('Exit codes:\n')
  expect(codes!.split('\n').filter((line) => line.startsWith('  1'))).toEqual([
    expect.stringMatching(/^ {2}1 {2}failed: .*; at least one check failed$/),
  ])
})

test.each(['-v', 'version'])('%s prints the release too', { tags: ['long'] }, async (word) => {
  expect(await runCommand([word], {})).toEqual(await runCommand(['--version'], {}))
})

test('--version prints the release; options before the command are refused with the right order', {
  tags: ['long'],
}, async () => {
  const [version, before, alone] = await Promise.all([
    runCommand(['--version'], {}),
    runCommand(['--json', 'user', 'list'], {}),
    runCommand(['--frob'], {}),
  ])
  expect(version).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  expect(before).toMatchObject({ code: 2, err: expect.stringContaining('cairn user list --json') })
  expect(alone).toMatchObject({ code: 2, err: expect.stringContaining('Name a command before --frob') })
})

test('the program prints the same, and exits with 2 for an invalid command line', { tags: ['long'] }, async () => {
  const [help, none, twice] = await Promise.all([
    runCommand(['help', 'restore'], {}),
    runCommand(['bakcup', 'file.tar'], {}),
    runCommand(['keys', 'list', 'please'], {}),
  ])
  expect(help).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Examples:') })
  expect(none).toMatchObject({ code: 2, out: '', err: expect.stringContaining('The nearest is "backup"') })
  expect(twice).toMatchObject({ code: 2, out: '', err: expect.stringContaining('cairn keys list [--json]') })
})

test('docs/command-line.md has every command with the usage and summary of its help', async () => {
  const docs = await readFile(new URL('../../docs/command-line.md', import.meta.url), 'utf8')
  const all = GROUPS.flatMap(({ commands }) => commands)
  expect(all.length).toBeGreaterThan(20)
  const rows = all.map(
    ({ words, usage, summary }) => `| \`${`${words} ${usage}`.trim().replaceAll('|', '\\|')}\` | ${summary}`,
  )
  expect(rows.filter((row) => !docs.includes(row))).toEqual([])
})
