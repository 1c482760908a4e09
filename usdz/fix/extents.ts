/** Returns the box around points, three numbers each; undefined without finite points. */
export function boxAround(lists: readonly ArrayLike<number>[]): number[] | undefined {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
  for (const values of lists) {
    for (let i = 0; i < values.length; i++) {
      const axis = i % 3
      box[axis] = Math.min(box[axis]!, values[i]!)
      box[axis + 3] = Math.max(box[axis + 3]!, values[i]!)
    }
  }
  return box.every(Number.isFinite) ? box : undefined
}

/** A number with its noun. */
export const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`
