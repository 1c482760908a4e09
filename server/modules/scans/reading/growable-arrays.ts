/** Integers in an array that grows. */
export function growingIntegers(most: number) {
  let all = new Uint32Array(3 * 1024)
  let length = 0
  return {
    get length() {
      return length
    },
    /** Adds a triangle. */
    triangle(a: number, b: number, c: number) {
      if (length + 3 > all.length) {
        const larger = new Uint32Array(Math.min(most, all.length * 2))
        larger.set(all)
        all = larger
      }
      all[length++] = a
      all[length++] = b
      all[length++] = c
    },
    all: () => all.subarray(0, length),
  }
}

/** Groups of numbers in an array that grows. */
export function growingFloats() {
  let all = new Float32Array(3 * 1024)
  let length = 0
  return {
    get length() {
      return length
    },
    add(x: number, y: number, z: number) {
      if (length + 3 > all.length) {
        const larger = new Float32Array(all.length * 2)
        larger.set(all)
        all = larger
      }
      all[length++] = x
      all[length++] = y
      all[length++] = z
    },
    all: () => all.subarray(0, length),
  }
}
