import { describe, expect, test } from 'vitest'
import { german } from '../../src/messages/de/index.ts'
import { spanish } from '../../src/messages/es/index.ts'
import { messages } from '../../src/messages/index.ts'

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

const MARKS = ['4711', '4712', '4713', '4714', '4715']

/** The values that a text shows of those that it is given; undefined if it takes others than texts and numbers. */
function shownBy(text: (...values: unknown[]) => unknown): string[] | undefined {
  for (const values of [MARKS, MARKS.map(Number)])
    try {
      const shown = text(...values)
      if (typeof shown === 'string')
        return MARKS.filter((mark) => shown.replace(/[.,\s\u00a0\u202f]/g, '').includes(mark))
    } catch {
      // It takes other values.
    }
  return undefined
}

describe.each([
  ['German', german],
  ['Spanish', spanish],
])('%s', (_, translation) => {
  const texts = textsOf(messages, translation)

  test('has each text of the console, and no other', () => {
    expect(texts.filter(({ english, translated }) => typeof english !== typeof translated)).toEqual([])
    expect(texts.filter(({ translated }) => translated === '')).toEqual([])
  })

  test('shows the values that the English text shows', () => {
    const functions = texts.filter(({ english }) => typeof english === 'function')
    expect(functions.length).toBeGreaterThan(100)
    for (const { path, english, translated } of functions)
      expect({ path, shown: shownBy(translated as () => string) }).toEqual({
        path,
        shown: shownBy(english as () => string),
      })
  })

  test('leaves no sentence in English', () => {
    const sentences = texts.filter(({ english }) => typeof english === 'string' && english.split(' ').length > 3)
    expect(sentences.filter(({ english, translated }) => english === translated)).toEqual([])
  })
})
