import { pick, type Random } from './random.ts'

/** Marks and words of text layers. */
const marks = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '"',
  '<',
  '>',
  '@',
  '=',
  ',',
  '.',
  '#',
  '/*',
  '"""',
  '\n',
  '../',
  '\0',
  '\ufffd',
]
const words = [
  'None',
  'nan',
  '-inf',
  '1e400',
  '-1',
  '4294967296',
  'def',
  'over',
  'class',
  'rel',
  'references',
  'delete',
]

/** Damages a text layer: cuts, doubles, swaps and inserts parts of it. */
export function mutateText(text: string, random: Random): string {
  let out = text
  for (let n = 1 + random(4); n > 0; n--) {
    const at = random(out.length + 1)
    const length = random(40)
    const part = out.slice(at, at + length)
    switch (random(5)) {
      case 0:
        out = out.slice(0, at) + out.slice(at + length)
        break
      case 1:
        out = out.slice(0, at) + part.repeat(2 + random(3)) + out.slice(at + length)
        break
      case 2:
        out = out.slice(0, at) + pick(marks, random) + out.slice(at)
        break
      case 3:
        out = out.replace(pick(out.match(/[A-Za-z0-9:]+/g) ?? ['0'], random), pick(words, random))
        break
      default: {
        const other = random(out.length + 1)
        out = out.slice(0, at) + out.slice(other, other + length) + out.slice(at + length)
      }
    }
  }
  return out
}
