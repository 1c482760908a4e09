import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Checkout } from './checkout.ts'
import { mayGoBack } from './history.ts'
import { differences } from './read.ts'

describe('answers of two versions', () => {
  const answer = (value: object) => new Map([['GET /x', value]])
  const before = answer({ id: 1, tags: ['a', 'b'], place: { lat: 1 } })

  test('are the same if the later one only adds members', () => {
    expect(differences(before, answer({ id: 1, tags: ['a', 'b'], place: { lat: 1, lon: 2 }, more: 3 }))).toEqual([])
  })

  test.each([
    ['changes a member', { id: 2, tags: ['a', 'b'], place: { lat: 1 } }, 'GET /x id: 1 is 2'],
    ['lacks a member', { id: 1, tags: ['a', 'b'], place: {} }, 'GET /x place lat: 1 is undefined'],
    ['has fewer entries', { id: 1, tags: ['a'], place: { lat: 1 } }, 'GET /x tags: 2 entries are 1'],
    ['orders entries differently', { id: 1, tags: ['b', 'a'], place: { lat: 1 } }, 'GET /x tags 0: "a" is "b"'],
    ['has null', { id: 1, tags: null, place: { lat: 1 } }, 'GET /x tags: ["a","b"] is null'],
  ])('differ if the later one %s', (_what, after, difference) => {
    expect(differences(before, answer(after))).toContain(difference)
  })

  describe('of OGC API', () => {
    const next = { rel: 'next', type: 'application/geo+json', href: '/b' }
    const page = { rel: 'alternate', type: 'text/html', href: '/c' }

    test('are the same if the later one only adds links', () => {
      expect(differences(answer({ links: [next] }), answer({ links: [page, next] }))).toEqual([])
    })

    test.each([
      ['lacks a link', [page, { ...page, rel: 'self' }], 'GET /x links: 1 entries are 0'],
      ['lacks a link and adds another', [page], 'GET /x links: 1 entries are 0'],
      ['has an object', { next }, 'GET /x links: 1 entries are 0'],
      ['changes a link', [page, { ...next, href: '/d' }], 'GET /x links 0 href: "/b" is "/d"'],
    ])('differ if the later one %s', (_what, links, difference) => {
      expect(differences(answer({ links: [next] }), answer({ links }))).toEqual([difference])
    })
  })

  test('differ if the later one does not answer', () => {
    expect(differences(before, new Map())).toHaveLength(1)
  })
})

describe('going back', () => {
  const checkout = (...migrations: [name: string, sql: string][]) =>
    ({ migrations: migrations.map(([name, sql]) => ({ name, sql })) }) as Checkout
  const earlier = checkout(['0001_a.sql', ''])

  test.each([
    ['no migration separates the versions', [], true],
    ['the later version only adds to the schema', [['0002_b.sql', 'create table b ();']], true],
    ['a migration needs one that the earlier version has', [['0002_b.sql', '-- needs 0001_a.sql: why']], true],
    ['a migration needs one that it lacks', [['0002_b.sql', '-- needs 0002_b.sql: why']], false],
  ] as [string, [string, string][], boolean][])('if %s: %#', (_when, more, expected) => {
    expect(mayGoBack(earlier, checkout(['0001_a.sql', ''], ...more))).toBe(expected)
  })
})

test('a version that git does not know is refused with a sentence', { tags: ['long'] }, () => {
  const run = spawnSync(process.execPath, [join(import.meta.dirname, 'run.ts'), '--from', 'v0.0.0-none'])
  expect(run.status).toBe(1)
  expect(String(run.stderr)).toContain('git knows no version "v0.0.0-none": name a tag or a commit')
})
