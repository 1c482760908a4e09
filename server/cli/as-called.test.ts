import { expect, test } from 'vitest'
import { commandName } from '../platform/process/command-name.ts'
import { asCalled, WORDS } from './as-called.ts'
import { GROUPS } from './commands.ts'

test.each([
  ['/x/node_modules/.bin/cairn', {}, 'cairn'],
  ['/x/node_modules/.bin/cairn-server', {}, 'cairn-server'],
  ['/x/lib/bin/cairn.cjs', {}, 'cairn'],
  ['/x/lib/bin/cairn.cjs', { CALLED_AS: './cairn' }, './cairn'],
  ['/x/lib/bin/cairn.cjs', { CALLED_AS: '/opt/my games/cairn' }, "'/opt/my games/cairn'"],
  ['/x/node_modules/.bin/cairn-server', { npm_command: 'exec' }, 'npx cairn-server'],
  ['/x/node_modules/.bin/cairn', { npm_command: 'exec' }, 'npx -p cairn-server cairn'],
])('the package, called as %s with %j, names itself %s', (program, environment, name) => {
  expect(commandName({ program, environment, inPackage: true })).toBe(name)
})

test.each([
  ['server/cli.ts', {}, 'cairn'],
  ['server/cli.ts', { npm_lifecycle_event: 'cairn' }, 'npm run cairn --'],
  ['server/main.ts', { npm_lifecycle_event: 'start' }, 'npm run cairn --'],
])('in a clone, called as %s with %j, it names itself %s', (program, environment, name) => {
  expect(commandName({ program, environment, inPackage: false })).toBe(name)
})

test('commands in a text get the name, and other words do not', () => {
  const call = { program: 'cairn-server', environment: {}, inPackage: true }
  expect(asCalled('cairn: TOKEN=$(cairn user token); cairn may; Cairn user; cairn help COMMAND', call)).toBe(
    'cairn-server: TOKEN=$(cairn-server user token); cairn may; Cairn user; cairn-server help COMMAND',
  )
})

test('every command is known by its first word', () => {
  const first = GROUPS.flatMap(({ commands }) => commands.map(({ words }) => words.split(' ')[0]!))
  expect(WORDS).toEqual([...new Set([...first, 'help'])].toSorted())
})
