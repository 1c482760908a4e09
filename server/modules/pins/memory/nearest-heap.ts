/** Keeps the `most` smallest keys that were added, each with a value: a binary heap with the greatest key on top. */
export function nearestHeap(most: number) {
  const keys = new Float64Array(most)
  const values = new Int32Array(most)
  let size = 0

  function down(key: number, value: number) {
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && keys[child + 1]! > keys[child]!) child++
      if (keys[child]! <= key) break
      keys[at] = keys[child]!
      values[at] = values[child]!
      at = child
    }
    keys[at] = key
    values[at] = value
  }

  return {
    get isFull() {
      return size === most
    },
    /** The greatest key kept. */
    get greatest() {
      return keys[0]!
    },
    values: () => values.subarray(0, size),

    add(key: number, value: number) {
      if (size === most) {
        if (key < keys[0]!) down(key, value)
        return
      }
      let at = size++
      while (at > 0) {
        const parent = (at - 1) >> 1
        if (keys[parent]! >= key) break
        keys[at] = keys[parent]!
        values[at] = values[parent]!
        at = parent
      }
      keys[at] = key
      values[at] = value
    },
  }
}
