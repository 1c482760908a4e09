/**
 * The paths of a crate file as a tree: each has a parent and a name. Texts are built on demand: large files have
 * hundreds of thousands of paths, and hostile ones are deep.
 */
export class CratePaths {
  readonly #parents: Int32Array
  /** Token numbers, negative for properties. */
  readonly #elements: Int32Array
  readonly #tokens: readonly string[]
  /** The numbers of all paths, parents before their children. */
  readonly order: Int32Array

  constructor(parents: Int32Array, elements: Int32Array, order: Int32Array, tokens: readonly string[]) {
    this.#parents = parents
    this.#elements = elements
    this.order = order
    this.#tokens = tokens
  }

  has = (path: number): boolean => this.#parents[path] !== undefined && this.#parents[path] !== notThere
  isRoot = (path: number): boolean => this.#parents[path] === root
  isProperty = (path: number): boolean => this.#elements[path]! < 0
  /** Returns the number of the parent path; -1 for the root. */
  parent = (path: number): number => this.#parents[path] ?? notThere
  name = (path: number): string => this.#tokens[Math.abs(this.#elements[path]!)] ?? ''

  /** As USD writes it: "/Root/Mesh.points", "/Root{look=red}Mesh". */
  text(path: number): string {
    if (!this.has(path)) return ''
    if (this.isRoot(path)) return '/'
    const parts: string[] = []
    for (let at = path; !this.isRoot(at); at = this.parent(at)) {
      const name = this.name(at)
      const isVariant = name.startsWith('{')
      const followsVariant = this.name(this.parent(at)).startsWith('{')
      parts.push(this.isProperty(at) ? `.${name}` : isVariant || followsVariant ? name : `/${name}`)
    }
    return parts.reverse().join('')
  }
}

const root = -1
const notThere = -2

/**
 * Reads the three path lists of a crate file. They are in depth-first order; a jump tells whether a child (-1), a
 * sibling (0), both (the distance to the sibling) or none (-2) follow.
 * @throws Error when a path occurs twice or is out of range.
 */
export function readPathTree(
  size: number,
  lists: { numbers: Int32Array; elements: Int32Array; jumps: Int32Array },
  tokens: readonly string[],
): CratePaths {
  const { numbers, elements, jumps } = lists
  const parents = new Int32Array(size).fill(notThere)
  const names = new Int32Array(size)
  const order = new Int32Array(numbers.length)
  let used = 0
  const starts: { at: number; parent: number }[] = numbers.length > 0 ? [{ at: 0, parent: root }] : []
  for (let start = starts.pop(); start; start = starts.pop()) {
    let { at, parent } = start
    for (;;) {
      const number = numbers[at]
      if (number === undefined || !(number >= 0 && number < size)) throw new Error('A path lies outside the table.')
      if (parents[number] !== notThere) throw new Error('A path occurs twice.')
      parents[number] = parent
      names[number] = elements[at]!
      order[used++] = number
      const jump = jumps[at]!
      if (jump > 0) starts.push({ at: at + jump, parent })
      if (jump > 0 || jump === -1) parent = number
      else if (jump !== 0) break
      at++
    }
  }
  return new CratePaths(parents, names, order.subarray(0, used), tokens)
}
