/** One page of a list. `next` is the cursor of the next page. `total` counts the whole list, up to 10,000 with a filter; null if the service does not count. */
export type Page<Item> = { items: Item[]; next: string | null; total: number | null }

/** A list that is fetched page by page as it is read. Use `for await (const item of list)` for items, `list.pages()` for pages, `list.first()` for the first page. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #load: (from: string | undefined) => Promise<Page<Item>>

  constructor(load: (from: string | undefined) => Promise<Page<Item>>) {
    this.#load = load
  }

  /** Fetches the first page. */
  first(): Promise<Page<Item>> {
    return this.#load(undefined)
  }

  /** Yields page after page. */
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

  /** Fetches all items, or the first `atMost`. */
  async all({ atMost = Number.POSITIVE_INFINITY } = {}): Promise<Item[]> {
    const items: Item[] = []
    for await (const page of this.pages()) {
      items.push(...page.items)
      if (items.length >= atMost) return items.slice(0, atMost)
    }
    return items
  }
}
