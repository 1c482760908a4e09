import fc from 'fast-check'
import { expect, test } from 'vitest'
import { legalName, uniqueNames } from './prim-names.ts'

test('names stay readable in USD: accents are dropped, other scripts become code points, the rest underscores', () => {
  expect(legalName('Wheel', 'Node')).toBe('Wheel')
  expect(legalName('Türgriff außen', 'Node')).toBe('Turgriff_aussen')
  expect(legalName('椅子', 'Node')).toBe('u6905_u5B50')
  expect(legalName('wheel.001 (left)', 'Node')).toBe('wheel_001_left_')
  expect(legalName('3D', 'Node')).toBe('_3D')
  expect(legalName('❤♻', 'Node')).toBe('Node')
})

test('names are always legal and unique, also when case is ignored', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('a', 'A', 'a_1', 'é'))), (names) => {
      const give = uniqueNames()
      const given = names.map((name) => give(name, 'Node'))
      for (const name of given) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_]*$/)
      expect(new Set(given.map((name) => name.toLowerCase())).size).toBe(given.length)
    }),
  )
})
