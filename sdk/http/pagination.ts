/** Some of a list, and where it goes on. `total` counts the whole list, as far as the service does (with a filter up to 10,000); null where it does not. */
export type Page<Item> = { items: Item[]; next: string | null; total: number | null }

/** A list that is fetched page by page, as far as it is read:
 * `for await (const item of list)` gives every item, `list.pages()` whole pages, `list.first()` the first page. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #load: (from: string | undefined) => Promise<Page<Item>>

  constructor(load: (from: string | undefined) => Promise<Page<Item>>) {
    this.#load = load
  }

  /** The first page alone. */
  first(): Promise<Page<Item>> {
    return this.#load(undefined)
  }

  /** Page after page. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let page = await this.first()
    yield page
    while (page.next !== null) {
      page = await this.#load(page.next)
      yield page
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items
  }

  /** The whole list, or its first items. */
  async all({ atMost = Number.POSITIVE_INFINITY } = {}): Promise<Item[]> {
    const items: Item[] = []
    for await (const page of this.pages()) {
      items.push(...page.items)
      if (items.length >= atMost) return items.slice(0, atMost)
    }
    return items
  }
}
