import { describe, expect, test } from 'vitest'
import { german } from '../../src/messages/de/index.ts'
import { english } from '../../src/messages/en.ts'
import { spanish } from '../../src/messages/es/index.ts'
import type { Texts } from '../../src/messages/index.ts'

/** All areas of a language. */
const allOf = async (texts: Texts) =>
  Object.fromEntries(await Promise.all(Object.entries(texts).map(async ([area, load]) => [area, await load()])))

type Text = { path: string; english: unknown; translated: unknown }

/** All texts of a translation beside the English ones, by their path. */
function textsOf(english: object, translated: object, path = ''): Text[] {
  const names = [...new Set([...Object.keys(english), ...Object.keys(translated)])]
  return names.flatMap((name) => {
    const [one, other] = [Reflect.get(english, name), Reflect.get(translated, name)]
    const at = path === '' ? name : `${path}.${name}`
    if (one && other && typeof one === 'object' && typeof other === 'object') return textsOf(one, other, at)
    return [{ path: at, english: one, translated: other }]
  })
}

type Words = (...values: unknown[]) => unknown

const numbers = [4711, 4712, 4713, 4714, 4715]
/** An object whose members are numbers by their names. */
const members = () => new Proxy({}, { get: (_, name) => numbers[String(name).length % numbers.length] })
const VALUES = [numbers.map(String), numbers, numbers.map(members), numbers.map((one) => [one])]

/** Which of the numbers a text shows for each kind of values; undefined for a kind that it does not take. */
const shownBy = (text: Words) =>
  VALUES.map((values) => {
    try {
      const shown = String(text(...values)).replace(/[.,\s\u00a0\u202f]/g, '')
      return numbers.filter((number) => shown.includes(String(number)))
    } catch {
      return undefined
    }
  })

describe.each([
  ['German', german],
  ['Spanish', spanish],
])('%s', async (_, translation) => {
  const texts = textsOf(await allOf(english), await allOf(translation))

  test('has each text of the console, and no other', () => {
    expect(texts.filter(({ english, translated }) => typeof english !== typeof translated)).toEqual([])
    expect(texts.filter(({ translated }) => translated === '')).toEqual([])
  })

  test('shows the values that the English text shows', () => {
    const functions = texts.filter(({ english }) => typeof english === 'function')
    expect(functions.length).toBeGreaterThan(100)
    for (const { path, english, translated } of functions) {
      const [expected, shown] = [shownBy(english as Words), shownBy(translated as Words)]
      const both = expected.flatMap((one, i) => (one && shown[i] ? [{ expected: one, shown: shown[i] }] : []))
      expect({ path, isCompared: both.length > 0 }).toEqual({ path, isCompared: true })
      for (const one of both) expect({ path, shown: one.shown }).toEqual({ path, shown: one.expected })
    }
  })

  test('leaves no sentence in English', () => {
    const sentences = texts.filter(({ english }) => typeof english === 'string' && /[a-z]+ [a-z]+ [a-z]+/.test(english))
    expect(sentences.filter(({ english, translated }) => english === translated)).toEqual([])
  })
})
