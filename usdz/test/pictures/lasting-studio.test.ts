import { expect, test } from 'vitest'
import { malformed } from '../../errors.ts'
import type { PictureStudio } from './browser.ts'
import { lastingStudio } from './lasting-studio.ts'

/** Browsers that only tell when they are opened and closed. */
function countedStudios() {
  const events: string[] = []
  const open = async () => {
    events.push('open')
    return { close: async () => void events.push('close') } as unknown as PictureStudio
  }
  return { events, open }
}

test('models share a browser, and a refused one keeps it', async () => {
  const { events, open } = countedStudios()
  const { use, close } = lastingStudio(open)
  expect(await use(async () => 1)).toBe(1)
  await expect(use(() => Promise.reject(malformed('no GLB')))).rejects.toThrow('no GLB')
  expect(await use(async () => 2)).toBe(2)
  await close()
  expect(events).toEqual(['open', 'close'])
})

test.each<[string, () => Promise<never>, RegExp]>([
  ['fails', () => Promise.reject(new Error('Target crashed')), /Target crashed/],
  ['takes too long', () => new Promise<never>(() => {}), /more than 0.02 s/],
])('after a model that %s the next one gets a new browser', async (_what, work, message) => {
  const { events, open } = countedStudios()
  const { use, close } = lastingStudio(open, 20)
  await expect(use(work)).rejects.toThrow(message)
  expect(await use(async () => 'drawn')).toBe('drawn')
  await close()
  expect(events).toEqual(['open', 'close', 'open', 'close'])
})
