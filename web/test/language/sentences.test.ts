import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { issueText, serverText } from '../../src/components/feedback/server-text.ts'
import { german } from '../../src/messages/de/index.ts'
import { messages } from '../../src/messages/index.ts'
import { serverTexts } from '../../src/messages/service/sentences.ts'

test('each sentence of the service that has a translation is one that the service still says', () => {
  const folder = new URL('../../../server/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = files
    .filter((name) => /^(modules|platform)\/.*\.ts$/.test(name) && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n')
  const isSaid = (text: string) =>
    text
      .split(/[#()]/)
      .map((part) => part.trim())
      .every((part) => sources.includes(part))
  expect(Object.keys(serverTexts).filter((text) => !isSaid(text))).toEqual([])
})

test('a sentence of the service is shown in the language of the console with its numbers and names, another one as it is', async () => {
  const english = messages.common
  messages.common = await german.common()
  try {
    expect(serverText('3341 pins in memory')).toBe('3341 Pins im Arbeitsspeicher')
    expect(serverText('This app already has a player named "Ada 7"')).toBe(
      'Diese App hat schon einen Spieler namens "Ada 7"',
    )
    expect(serverText('Something else 5')).toBe('Something else 5')
  } finally {
    messages.common = english
  }
})

test('what is wrong with a value has singular forms, and numbers as the language writes them', () => {
  const tooFew = (count: number) => issueText({ message: `Too small: expected array to have >=${count} items` })
  expect(tooFew(1)).toBe('Must have at least 1 entry')
  expect(tooFew(2)).toBe('Must have at least 2 entries')
  expect(issueText({ message: 'Too big: expected number to be <=1000000' })).toBe('Must be at most 1,000,000')
})
