import { expect, test } from 'vitest'
import { townsLike } from '../../src/map/gazetteer.ts'

const names = ['new york city', 'york', 'orebro', 'aix-en-provence', 'yorkton']
const gazetteer = { names, towns: names.map((label) => ({ label, lat: 0, lon: 0 })) }
const found = (text: string, most = 8) => townsLike(gazetteer, text, most).map(({ label }) => label)

test('names that begin like the text come first, then those of which another word does', () => {
  expect(found('York')).toEqual(['york', 'yorkton', 'new york city'])
  expect(found('prov')).toEqual(['aix-en-provence'])
})

test('accents and spaces around the text do not count, and no text finds nothing', () => {
  expect(found(' Örebro ')).toEqual(['orebro'])
  expect(found('  ')).toEqual([])
})

test('there are at most as many as asked for', () => {
  expect(found('york', 2)).toEqual(['york', 'yorkton'])
})
