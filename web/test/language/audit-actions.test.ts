import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AUDIT_ACTIONS } from '../../../server/platform/database/audit-actions.ts'
import { actions } from '../../src/messages/admin/audit-actions.ts'
import { actions as german } from '../../src/messages/de/admin/audit-actions.ts'
import { actions as spanish } from '../../src/messages/es/admin/audit-actions.ts'

test.each([
  ['English', actions],
  ['German', german],
  ['Spanish', spanish],
])('each action of the audit log has a text of its own in %s', (_, texts) => {
  expect(Object.keys(texts).sort()).toEqual([...AUDIT_ACTIONS].sort())
  for (const [action, text] of Object.entries(texts)) expect(text, action).not.toMatch(/^$|[_.]/)
})

test('each action that functions of the database write is among them', () => {
  const folder = new URL('../../../server/migrations/', import.meta.url)
  const written = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .flatMap((name) => [...readFileSync(new URL(name, folder), 'utf8').matchAll(/insert into audit_log[^;]*;/g)])
    .flatMap(([statement]) => [...statement.matchAll(/'([a-z_]+\.[a-z_]*)'/g)].map(([, action]) => action!))
  expect(written.length).toBeGreaterThan(5)
  // Of `'player.' || …` the beginning is known.
  const isKnown = (action: string) =>
    AUDIT_ACTIONS.some((one) => (action.endsWith('.') ? one.startsWith(action) : one === action))
  expect(written.filter((action) => !isKnown(action))).toEqual([])
})
