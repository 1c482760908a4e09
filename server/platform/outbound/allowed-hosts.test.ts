import { describe, expect, test } from 'vitest'
import { allowsHost, isHostRule } from './allowed-hosts.ts'

describe('hosts that an operator allows', () => {
  test.each([
    ['files.example.org', 'https://files.example.org/a', true],
    ['files.example.org', 'https://FILES.example.org:443/a', true],
    ['files.example.org', 'https://files.example.org:8443/', false],
    ['files.example.org:8443', 'https://files.example.org:8443/', true],
    ['files.example.org:8443', 'https://files.example.org/', false],
    ['files.example.org:443', 'https://files.example.org/', true],
    ['files.example.org', 'https://x.files.example.org/', false],
    ['files.example.org', 'https://files.example.org.evil.example/', false],
    ['files.example.org', 'https://files.example.org./', false],
    ['files.example.org', 'https://evilfiles.example.org/', false],
    ['*.example.org', 'https://a.example.org/', true],
    ['*.example.org', 'https://a.b.example.org/', true],
    ['*.example.org', 'https://example.org/', false],
    ['*.example.org', 'https://evilexample.org/', false],
    ['xn--bcher-kva.example', 'https://bücher.example/', true],
  ])('%s: %s is %s', (rule, address, allowed) => {
    expect(isHostRule(rule)).toBe(true)
    expect(allowsHost([rule], new URL(address))).toBe(allowed)
  })

  test.each([
    '127.0.0.1',
    '[::1]',
    'localhost',
    '*',
    '*.',
    'a.*.org',
    'https://a.org',
    'a.org/',
    'a.org:0',
    'a.org:65536',
    'A.org',
    '0x7f.1',
    'a..org',
  ])('"%s" is not a rule', (rule) => expect(isHostRule(rule)).toBe(false))
})
