/** The string tables of a crate file: tokens, and strings, which are token numbers. Equal texts are stored once. */
export class Tokens {
  readonly #tokens = new Map<string, number>()
  readonly #strings = new Map<number, number>()

  constructor() {
    // The first token is empty: readers use number 0 as the name of the root.
    this.token('')
  }

  token(text: string): number {
    let index = this.#tokens.get(text)
    if (index === undefined) {
      index = this.#tokens.size
      this.#tokens.set(text, index)
    }
    return index
  }

  string(text: string): number {
    const token = this.token(text)
    let index = this.#strings.get(token)
    if (index === undefined) {
      index = this.#strings.size
      this.#strings.set(token, index)
    }
    return index
  }

  listTokens = (): string[] => [...this.#tokens.keys()]
  /** Token numbers, in the order of the strings. */
  listStrings = (): number[] => [...this.#strings.keys()]
}
