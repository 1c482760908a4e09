import { tooLarge } from '../errors.ts'

/**
 * A growing list of vectors.
 * @param size the numbers of each. @param most the limit of vectors.
 */
export function floatList(size: number, most: number) {
  let values = new Float32Array(3 * 1024)
  let length = 0
  return {
    push(value: number): void {
      if (length >= most * size) throw tooLarge(`The file has more than ${most} vertices.`)
      if (length === values.length) {
        const larger = new Float32Array(values.length * 2)
        larger.set(values)
        values = larger
      }
      values[length++] = value
    },
    length: () => length,
    finish: (): Float32Array => values.slice(0, length),
  }
}

/** Numbers triples of 32-bit integers: the same triple always gets the same number. */
export function vertexTable() {
  let keys = new Int32Array(3 * 1024)
  /** The number of a triple plus 1, at the place of its hash or after it; 0 is free. */
  let slots = new Int32Array(4096)
  let count = 0

  const placeOf = (a: number, b: number, c: number): number => {
    let hash = Math.imul(a ^ Math.imul(b, 0x9e3779b1) ^ Math.imul(c, 0x85ebca6b), 0xc2b2ae35)
    hash ^= hash >>> 15
    let place = (hash >>> 0) & (slots.length - 1)
    for (;;) {
      const known = slots[place]! - 1
      if (known < 0) return place
      if (keys[known * 3] === a && keys[known * 3 + 1] === b && keys[known * 3 + 2] === c) return place
      place = (place + 1) & (slots.length - 1)
    }
  }
  const grow = () => {
    const larger = new Int32Array(keys.length * 2)
    larger.set(keys)
    keys = larger
    slots = new Int32Array(slots.length * 2)
    for (let i = 0; i < count; i++) slots[placeOf(keys[i * 3]!, keys[i * 3 + 1]!, keys[i * 3 + 2]!)] = i + 1
  }
  return {
    numberOf(a: number, b: number, c: number): number {
      if ((count + 1) * 3 > keys.length) grow()
      const place = placeOf(a, b, c)
      if (slots[place] === 0) {
        keys.set([a, b, c], count * 3)
        slots[place] = ++count
      }
      return slots[place]! - 1
    },
    count: () => count,
    /** The triples in the order of their numbers. */
    finish: (): Int32Array => keys.slice(0, count * 3),
  }
}
